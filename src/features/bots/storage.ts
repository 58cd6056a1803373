// Bot storage: key-value pairs that only the bot itself can read.
import Type from "typebox";
import { tooMany } from "../../contract/errors/channels.ts";
import { botStorageFull, botStorageKeyNotFound } from "../../contract/errors/people.ts";
import { dict, nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, json, optional } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Bot, StoredText } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { BOT_STORAGE_NAMES_MAX, BOT_STORAGE_SIZE_MAX, sizeOf } from "./rules.ts";
import { botOf } from "./wire.ts";

function storeTexts(tx: Writer, { user_id }: User, storage: Record<string, string>): void {
  const bot = botOf(tx, user_id);
  const entries = Object.entries(storage).map(([name, value]) => {
    const slot = slotOf(name);
    return { row: { user_id, slot, name, value }, before: tx.bot_storage.get(user_id, slot) };
  });
  let size = bot.storage_size;
  for (const { row, before } of entries) size += weightOf(row) - weightOf(before);
  if (size > BOT_STORAGE_SIZE_MAX)
    throw botStorageFull(size - BOT_STORAGE_SIZE_MAX, BOT_STORAGE_SIZE_MAX);
  const storage_names = namesOf(tx, bot) + entries.filter(({ before }) => !before).length;
  if (storage_names > BOT_STORAGE_NAMES_MAX) {
    throw tooMany("texts in the storage of a bot", BOT_STORAGE_NAMES_MAX);
  }

  for (const { row } of entries) tx.bot_storage.put(row);
  tx.bots.put({ ...bot, storage_size: size, storage_names });
}

/** Deletes all of them if no keys are given. */
function forgetTexts(tx: Writer, { user_id }: User, names: string[] | undefined): void {
  const rows = accessTexts(tx, user_id, names);

  const bot = botOf(tx, user_id);
  const storage_names = namesOf(tx, bot) - rows.length;
  let size = bot.storage_size;
  for (const row of rows) {
    tx.bot_storage.delete(user_id, row.slot);
    size -= weightOf(row);
  }
  tx.bots.put({ ...bot, storage_size: size, storage_names });
}

export const putBotStorage = endpoint({
  summary: "Store values for the bot",
  tag: "Bots",
  params: { storage: json(Type.Record(Type.String(), Type.String())) },
  answer: nothing,
  async run({ realm, user }, { storage }) {
    await realm.write((tx) => storeTexts(tx, user, storage));
    return {};
  },
});

const keys = optional(json(Type.Array(Type.String())));

export const getBotStorage = endpoint({
  summary: "Get values of the bot's storage",
  tag: "Bots",
  params: { keys },
  answer: Type.Object({ storage: dict(Type.String()) }),
  run({ realm, user }, { keys: names }) {
    const rows = accessTexts(realm.read, user.user_id, names);
    return { storage: Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
  },
});

export const deleteBotStorage = endpoint({
  summary: "Delete values of the bot's storage",
  tag: "Bots",
  params: { keys },
  answer: nothing,
  async run({ realm, user }, { keys: names }) {
    await realm.write((tx) => forgetTexts(tx, user, names));
    return {};
  },
});

function accessTexts(reader: Reader, user_id: number, names: string[] | undefined): StoredText[] {
  if (names === undefined) {
    return [...reader.bot_storage.range({ from: [user_id], to: [user_id + 1] })];
  }
  return [...new Set(names)].map((name) => {
    const row = reader.bot_storage.get(user_id, slotOf(name));
    if (!row) throw botStorageKeyNotFound();
    return row;
  });
}

/** Earlier versions did not store the count. */
const namesOf = (reader: Reader, { user_id, storage_names }: Bot): number =>
  storage_names ?? [...reader.bot_storage.range({ from: [user_id], to: [user_id + 1] })].length;

const weightOf = (row: StoredText | undefined) =>
  row === undefined ? 0 : sizeOf(row.name) + sizeOf(row.value);

/** Hashed, because a name may be longer than a table's maximum key. */
const slotOf = (name: string) => new Bun.CryptoHasher("sha256").update(name).digest("hex");
