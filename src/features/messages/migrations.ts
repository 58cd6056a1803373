// Migration to a format in which messages and events are written to the journal.
import type { Migration } from "../../store/format/migrate.ts";

/**
 * No row changes. An earlier version would write to the rows of a message that the journal still
 * overrides, so it must refuse the data.
 */
export const journaledMessages: Migration = { to: 5, run() {} };
