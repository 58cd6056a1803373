// Checks the references and counts between rows of a database copy.
import type { Reader } from "../../../realm.ts";
import { bitmaps, type SequenceName, tables as declared } from "../../../schema/schema.ts";
import { ascending, emptyChunk, idOf } from "../../../store/bitmap/bitmap.ts";
import { countOf, decodeChunk } from "../../../store/bitmap/encodings.ts";
import { openReading, type Reading } from "../../../store/copy/read-only.ts";
import { RowDamaged } from "../../../store/checksums/checksum.ts";

const schema = { tables: declared, bitmaps };
type Copy = Reading<typeof schema>;
type Tables = Copy["tables"];
type Pause = () => Promise<unknown>;

const FAULTS_MAX = 100;
const ROWS_AT_ONCE = 500;

/** Returns the first hundred faults as texts. The walk over all rows finds damaged rows. */
export function referencesIn(path: string, rest: Pause): Promise<string[]> {
  return inspectCopy(path, (copy) => referencedFiles(copy, rest));
}

/** Checks only counters and issued ids, which takes less than a second. */
export function countersIn(path: string): Promise<string[]> {
  return inspectCopy(path, countersAndMissing);
}

type Inspection = (copy: Copy) => AsyncIterable<string> | Iterable<string>;

async function inspectCopy(path: string, inspect: Inspection): Promise<string[]> {
  const copy = openReading(path, schema);
  const faults = new Faults();
  try {
    for await (const text of inspect(copy)) if (faults.add(text)) break;
    return faults.all;
  } catch (error) {
    // Rows that depend on an unreadable row cannot be checked.
    if (error instanceof RowDamaged) return faults.all;
    throw error;
  } finally {
    await copy.close();
  }
}

class Faults {
  readonly all: string[] = [];

  /** Adds a fault. Returns whether the maximum is reached. */
  add(text: string): boolean {
    this.all.push(text);
    return this.all.length === FAULTS_MAX;
  }
}

function* countersAndMissing({ tables, last }: Copy): Iterable<string> {
  yield* counters(tables);
  yield* missingFiles(tables);
  yield* sequences(tables, last);
  const [newest] = [...tables.messages.sound(() => {}, { reverse: true, limit: 1 })];
  yield* sequence("messages", newest?.id ?? 0, last);
}

async function* referencedFiles({ tables, last }: Copy, rest: Pause): AsyncIterable<string> {
  yield* counters(tables);
  yield* missingFiles(tables);
  yield* sequences(tables, last);
  yield* people(tables);
  let newest = 0;
  for (let from = 0; ;) {
    const range = { from: [from], limit: ROWS_AT_ONCE };
    const batch = [...tables.messages.sound(() => {}, range)];
    for (const message of batch) yield* faultsOfMessage(tables, message);
    newest = batch.at(-1)?.id ?? newest;
    if (batch.length < ROWS_AT_ONCE) break;
    from = newest + 1;
    await rest();
  }
  yield* sequence("messages", newest, last);
}

function* faultsOfMessage(tables: Tables, message: ReturnType<typeof copyOf>): Iterable<string> {
  const { id, sender_id, stream_id, topic_id, recipient_id } = message;
  const source = `messages ${id}`;
  if (!tables.users.has(sender_id))
    yield `${source} is of account ${sender_id}, which does not exist`;
  if (stream_id === 0) {
    const isPlaced = tables.conversation_messages.has([recipient_id], id);
    if (!tables.conversations.has(recipient_id)) {
      yield `${source} is in conversation ${recipient_id}, which does not exist`;
    } else if (!isPlaced) yield `${source} is not listed in its conversation`;
    return;
  }
  if (!tables.channels.has(stream_id))
    yield `${source} is in channel ${stream_id}, which does not exist`;
  if (!tables.topics.has(topic_id)) yield `${source} is in topic ${topic_id}, which does not exist`;
  if (!tables.channel_messages.has([stream_id], id)) yield `${source} is not listed in its channel`;
  if (!tables.topic_messages.has([topic_id], id)) yield `${source} is not listed in its topic`;
}

/** Never called: only its return type is used. */
const copyOf = (reader: Reader) => reader.messages.get(0)!;

function* people({ subscriptions, users, channels, api_keys }: Tables): Iterable<string> {
  for (const { user_id, stream_id } of subscriptions.range()) {
    const source = `subscriptions ${user_id} ${stream_id}`;
    if (!users.has(user_id)) yield `${source} is of an account that does not exist`;
    if (!channels.has(stream_id)) yield `${source} is of a channel that does not exist`;
  }
  for (const { key_id, user_id } of api_keys.range()) {
    if (!users.has(user_id)) yield `api_keys ${key_id} is of an account that does not exist`;
  }
}

function* counters(tables: Tables): Iterable<string> {
  let bytes = 0;
  for (const { size } of tables.attachments.range()) bytes += size;
  const [usage = { bytes: 0 }] = [...tables.upload_space.range()];
  if (usage.bytes !== bytes) {
    yield `upload_space counts ${usage.bytes} bytes, but the files have ${bytes}`;
  }
  for (const { attachment_id, message_id } of tables.attachment_uses.range()) {
    if (tables.attachments.has(attachment_id)) continue;
    yield `attachment_uses ${attachment_id} ${message_id} is of a file that does not exist`;
  }
  for (const { attachment_id, topic_id } of tables.note_attachment_uses.range()) {
    const source = `note_attachment_uses ${attachment_id} ${topic_id}`;
    if (!tables.attachments.has(attachment_id)) yield `${source} is of a file that does not exist`;
    if (!tables.topic_notes.has(topic_id)) yield `${source} is of a note that does not exist`;
  }
  for (const { topic_id, count } of tables.topics.range()) {
    let counted = 0;
    for (const [, chunk] of tables.topic_messages.one([topic_id]).walk()) counted += countOf(chunk);
    if (counted !== count) yield `topics ${topic_id} counts ${count} messages, but has ${counted}`;
  }
}

/**
 * Messages listed by channels and conversations whose row is missing. Searched only if the counts
 * differ.
 */
function* missingFiles(tables: Tables): Iterable<string> {
  const places = placesOf(tables);
  let checkedCount = 0;
  for (const { set } of places) for (const [, bytes] of set.walk()) checkedCount += countOf(bytes);
  const messageCount = tables.messages.count();
  if (checkedCount === messageCount) return;
  let isNotified = false;
  const chunk = emptyChunk();
  for (const { place: path, set } of places) {
    for (const [index, bytes] of set.walk()) {
      for (const id of ascending(decodeChunk(bytes, chunk), idOf(index, 0))) {
        if (tables.messages.has(id)) continue;
        isNotified = true;
        yield `messages ${id} is missing, but listed in ${path}`;
      }
    }
  }
  if (!isNotified)
    yield `there are ${messageCount} messages, but channels and conversations list ${checkedCount}`;
}

function placesOf({ channels, conversations, ...sets }: Tables) {
  const ofChannels = [...channels.range()].map(({ stream_id }) => ({
    place: `channel ${stream_id}`,
    set: sets.channel_messages.one([stream_id]),
  }));
  const ofConversations = [...conversations.range()].map(({ recipient_id }) => ({
    place: `conversation ${recipient_id}`,
    set: sets.conversation_messages.one([recipient_id]),
  }));
  return [...ofChannels, ...ofConversations];
}

/** Sequences must not be lower than the highest id in use. */
function* sequences(tables: Tables, last: Copy["last"]): Iterable<string> {
  const greatest = (ids: Iterable<number>) => [...ids].reduce((max, id) => Math.max(max, id), 0);
  const { users, channels, groups, topics, attachments, api_keys, sessions } = tables;
  yield* sequence("users", greatest([...users.range()].map((row) => row.user_id)), last);
  yield* sequence("channels", greatest([...channels.range()].map((row) => row.stream_id)), last);
  yield* sequence("groups", greatest([...groups.range()].map((row) => row.id)), last);
  yield* sequence("keys", greatest([...api_keys.range()].map((row) => row.key_id)), last);
  yield* sequence("sessions", greatest([...sessions.range()].map((row) => row.session_id)), last);
  const [topic] = [...topics.range({ reverse: true, limit: 1 })];
  yield* sequence("topics", topic?.topic_id ?? 0, last);
  const [file] = [...attachments.range({ reverse: true, limit: 1 })];
  yield* sequence("attachments", file?.id ?? 0, last);
}

function* sequence(name: SequenceName, greatest: number, last: Copy["last"]): Iterable<string> {
  if (last(name) >= greatest) return;
  yield `the sequence ${name} is at ${last(name)}, but ${greatest} is already used`;
}
