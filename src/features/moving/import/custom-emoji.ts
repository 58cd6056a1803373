// Custom emoji of an archive, or from a folder of images named after the emoji.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Refusal } from "../../../contract/errors/general.ts";
import { OWNER } from "../../../contract/roles.ts";
import type { Realm } from "../../../realm.ts";
import { emojiCode } from "../../../text/emoji.ts";
import { emojiPictures } from "../../emoji/actions.ts";
import {
  CUSTOM_EMOJI_MAX,
  EMOJI_MIB_MAX,
  emojiNameOf,
  hasEmojiLetters,
} from "../../emoji/rules.ts";
import { blobsOf } from "../../files/blobs.ts";
import { MIB } from "../../files/rules.ts";
import { type Item, putRow, type Row } from "../write-row.ts";
import { MovingRefused } from "../errors.ts";
import type { SourceEmoji } from "../source/workspace.ts";
import type { Reporting } from "../report.ts";
import { EMOJI_STEP } from "./steps.ts";

const NAME_LENGTH_MAX = 200;
const PICTURE = /^(.{1,100})\.(png|gif|jpg|jpeg|webp)$/i;
/** Marks emoji in `imported` that existed before. */
const MATCHED = "matched emoji";

export function emojiIn(folder: string | undefined, reporting: Reporting): SourceEmoji {
  const emoji = new Map<string, () => Promise<Uint8Array>>();
  if (folder === undefined) return emoji;
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new MovingRefused("not a folder of pictures", folder);
  }
  for (const file of readdirSync(folder).sort()) {
    const [, fileExtension = ""] = PICTURE.exec(file) ?? [];
    const name = emojiNameOf(fileExtension);
    const isFree = hasEmojiLetters(name) && emojiCode(name) === undefined && !emoji.has(name);
    const path = join(folder, file);
    const facts = statSync(path);
    const isSmall = facts.isFile() && facts.size <= EMOJI_MIB_MAX * MIB;
    if (isFree && isSmall && emoji.size < CUSTOM_EMOJI_MAX) {
      emoji.set(name, () => Bun.file(path).bytes());
      reporting.countFound("custom emoji");
    } else reporting.lost("A file cannot be used as a custom emoji.", file);
  }
  return emoji;
}

/** Stores images before the rows that refer to them. */
export async function* emojiItems(
  realm: Realm,
  import_id: number,
  emoji: SourceEmoji,
  reporting: Reporting,
): AsyncIterable<Item> {
  for (const [name, bytesOf] of emoji) {
    const { read } = realm;
    if (name.length > NAME_LENGTH_MAX) {
      reporting.lost("The name of a custom emoji is too long.", name.slice(0, NAME_LENGTH_MAX));
      continue;
    }
    if (read.imported.has(import_id, EMOJI_STEP, name)) continue;
    const existing = read.custom_emoji.findBy("name", name);
    if (existing) {
      const write = () => ({ table: MATCHED, row_key: [existing.id], checksum: 0 });
      yield { step: EMOJI_STEP, source_key: name, bytes: 100, write };
      continue;
    }
    const emojiImage = await drawEmoji(realm, name, bytesOf, reporting);
    if (emojiImage) yield emojiItem(name, emojiImage);
  }
}

/** Emoji ids on this server, by name. */
export function emojiIds({ read }: Realm, emoji: SourceEmoji): ReadonlyMap<string, number> {
  const idEntries = [...emoji.keys()].map((name) => [
    name,
    read.custom_emoji.findBy("name", name)?.id,
  ]);
  return new Map(idEntries.filter((pair): pair is [string, number] => pair[1] !== undefined));
}

interface EmojiFiles {
  readonly file: string;
  readonly still: string | null;
}

async function drawEmoji(
  realm: Realm,
  name: string,
  bytesOf: () => Promise<Uint8Array>,
  reporting: Reporting,
): Promise<EmojiFiles | undefined> {
  try {
    const { pictures, file, still } = await emojiPictures(new Uint8Array(await bytesOf()));
    for (const { path, bytes } of pictures) await blobsOf(realm).put(path, bytes);
    return { file, still };
  } catch (error) {
    if (!(error instanceof Refusal) && !(error instanceof MovingRefused)) throw error;
    reporting.lost("A picture cannot be read.", name);
    return undefined;
  }
}

function emojiItem(name: string, { file, still }: EmojiFiles): Item {
  return {
    step: EMOJI_STEP,
    source_key: name,
    bytes: 500,
    write(tx) {
      const id = tx.next("custom_emoji");
      const owner = [...tx.users.range()].find((user) => user.role === OWNER && user.is_active);
      const author_id = owner?.user_id ?? 0;
      const row: Row = { id, name, author_id, file, still, deactivated: false };
      return { table: "custom_emoji", row_key: [id], checksum: putRow(tx, "custom_emoji", row) };
    },
  };
}
