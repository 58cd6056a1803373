// Migrations of the data, by format version, starting at format 1.
import { subscriptionsByChannel } from "../features/channels/migrations.ts";
import { journaledMessages } from "../features/messages/migrations.ts";
import { partsOfWords, withoutFreshTerms } from "../features/search/migrations.ts";
import { changesInJournal } from "../store/bitmap/changes.ts";
import { continuedByLog } from "../store/journal/merge-log.ts";
import type { Migration } from "../store/format/migrate.ts";
import { sealRows } from "../store/checksums/add-checksums.ts";

export const migrations: readonly Migration[] = [
  partsOfWords,
  subscriptionsByChannel,
  sealRows,
  journaledMessages,
  changesInJournal,
  continuedByLog,
  withoutFreshTerms,
];
