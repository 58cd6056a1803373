// The flags that users set on messages: read, starred, collapsed.
import { yieldToEventLoop } from "../../../async/yield.ts";
import { ownValue } from "../../../text/input/own-value.ts";
import Type from "typebox";
import { invalidValue } from "../../../contract/errors/channels.ts";
import {
  anchorNotAtEnd,
  flagNotEditable,
  flagOperationUnknown,
  flagUnknown,
  messageNotFound,
} from "../../../contract/errors/messages.ts";
import { list, nullable } from "../../../contract/shapes/value-types.ts";
import { bool, defaulted, endpoint, json, nonNegativeInt, text } from "../../../endpoint.ts";
import type { Reader, Realm, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import type { User } from "../../../schema/records.ts";
import {
  type Chunk,
  chunkOf,
  emptyChunk,
  offsetOf,
  setRange,
} from "../../../store/bitmap/bitmap.ts";
import { isSubscribed } from "../../channels/access.ts";
import { canReadMessage, hasReceived } from "../access.ts";
import { anchorId, fetchWindow } from "../read/fetch-window.ts";
import { decodeNarrow } from "../read/narrow.ts";
import { planNarrow } from "../read/plan.ts";
import {
  EDITABLE_FLAGS,
  FETCH_MESSAGES_MAX,
  FLAG_HISTORICAL,
  FLAG_READ,
  NARROW_TERMS_MAX,
} from "../rules.ts";
import { cachedMessages } from "../sets/received.ts";
import { chunksOf, ListedSet, NarrowedSet } from "../sets/sets.ts";
import { unreadDetails } from "../unread/details.ts";
import { flagsUpdated } from "../unread/flags-wire.ts";
import { isUnread, readChunks, removeRead, Unread } from "../unread/unread.ts";

/** Maximum number of messages per transaction. */
const FLAGGED_AT_ONCE_MAX = 250;
/** The same for the read flag, which is updated in whole chunks. */
const READ_AT_ONCE_MAX = 5_000;

type FlagOperation = "add" | "remove";

interface Flagged {
  /** Ids of the messages whose flag changed, ascending. */
  changed: number[];
  /** Channels whose messages cannot be marked as unread because the user is not subscribed. */
  ignored: number[];
}

/** Adds a flag to messages or removes it. */
export function updateFlags(
  tx: Writer,
  user: User,
  op: FlagOperation,
  flag: string,
  ids: readonly number[],
): Flagged {
  const distinct = [...new Set(ids)].sort((a, b) => a - b);
  if (flag !== "read") return mark(tx, user, op, flag, distinct);
  return op === "add" ? markRead(tx, user, distinct) : markUnread(tx, user, distinct);
}

/** Updates a long list in several transactions, after checking all ids. */
async function updateFlagsInSteps(
  realm: Realm,
  user: User,
  op: FlagOperation,
  flag: string,
  ids: readonly number[],
): Promise<{ updated: number; ignored: number[] }> {
  const atOnce = op === "add" && flag === "read" ? READ_AT_ONCE_MAX : FLAGGED_AT_ONCE_MAX;
  if (ids.length <= atOnce) {
    const { changed, ignored } = await realm.write((tx) => updateFlags(tx, user, op, flag, ids));
    return { updated: changed.length, ignored };
  }
  const steps = stepsOf(
    [...new Set(ids)].sort((a, b) => a - b),
    atOnce,
  );
  const areChecked = atOnce === FLAGGED_AT_ONCE_MAX;
  for (const step of areChecked ? steps : []) {
    for (const id of step) accessOwn(realm.read, user, id);
    await yieldToEventLoop();
  }
  let [index, updated] = [0, 0];
  const ignored = new Set<number>();
  await realm.inSteps((tx) => {
    const step = steps[index++]!;
    const ownIds = areChecked ? step.filter((id) => ownMessage(tx, user, id)) : step;
    const flagged = updateFlags(tx, user, op, flag, ownIds);
    updated += flagged.changed.length;
    for (const stream_id of flagged.ignored) ignored.add(stream_id);
    return index < steps.length;
  });
  return { updated, ignored: [...ignored].sort((a, b) => a - b) };
}

function stepsOf(ids: readonly number[], max: number): number[][] {
  const steps: number[][] = [];
  for (let index = 0; index < ids.length; index += max) steps.push(ids.slice(index, index + max));
  return steps;
}

/** Marks unread messages as read. Messages that the user never received already count as read. */
function markRead(tx: Writer, user: User, ids: readonly number[]): Flagged {
  const messageOf = cachedMessages(tx);
  const unread = new Unread(tx, user.user_id, messageOf);
  const reading = new NarrowedSet([new ListedSet(ids), unread], []);
  const chunks = chunksOf(reading, 0, tx.last("messages"));
  return { changed: readChunks(tx, user.user_id, chunks), ignored: [] };
}

function markUnread(tx: Writer, user: User, ids: readonly number[]): Flagged {
  const { user_id } = user;
  const messages = ids.map((id) => accessOwn(tx, user, id));
  const ignored = new Set<number>();
  const changing = messages.filter((message) => {
    const { stream_id } = message;
    if (stream_id === 0 || isSubscribed(tx, user_id, stream_id)) {
      return !isUnread(tx, user_id, message);
    }
    ignored.add(stream_id);
    return false;
  });

  const updatedChunks = new Map<number, Chunk>();
  for (const message of changing) {
    if (!hasReceived(tx, user, message)) storeForUser(tx, user_id, message.id);
    addId(updatedChunks, message.id);
  }
  for (const [n, chunk] of updatedChunks) removeRead(tx, user_id, n, chunk);
  const changedIds = changing.map((message) => message.id);
  if (changedIds.length > 0) {
    const event = flagsUpdated("remove", "read", changedIds, unreadDetails(tx, user, changing));
    tx.emit(event, { to: "people", user_ids: [user_id] });
  }
  return { changed: changedIds, ignored: [...ignored].sort((a, b) => a - b) };
}

function mark(
  tx: Writer,
  user: User,
  op: FlagOperation,
  flag: string,
  ids: readonly number[],
): Flagged {
  const { user_id } = user;
  const key = [user_id, ownValue(EDITABLE_FLAGS, flag)!];
  const messages = ids.map((id) => accessOwn(tx, user, id));
  const changing = messages.filter(({ id }) => tx.flags.has(key, id) !== (op === "add"));

  for (const message of changing) {
    if (op === "remove") tx.flags.remove(key, message.id);
    else {
      if (!hasReceived(tx, user, message)) makeHistorical(tx, user_id, message.id);
      tx.flags.add(key, message.id);
    }
  }
  const changedIds = changing.map((message) => message.id);
  if (changedIds.length > 0) {
    tx.emit(flagsUpdated(op, flag, changedIds), { to: "people", user_ids: [user_id] });
  }
  return { changed: changedIds, ignored: [] };
}

/** Adds a message that the user can read but never received to the user's own messages. */
export function makeHistorical(tx: Writer, user_id: number, message_id: number): void {
  storeForUser(tx, user_id, message_id);
  tx.flags.add([user_id, FLAG_READ], message_id);
}

/** Stores a message for a user who never received it; it may be unread. */
export function storeForUser(tx: Writer, user_id: number, message_id: number): void {
  tx.flags.add([user_id, FLAG_HISTORICAL], message_id);
  tx.historical_holders.add([message_id], user_id);
}

/** Returns a message that the user can read or has received. */
function accessOwn(reader: Reader, user: User, id: number): Message {
  const message = ownMessage(reader, user, id);
  if (!message) throw messageNotFound();
  return message;
}

function ownMessage(reader: Reader, user: User, id: number): Message | undefined {
  const message = reader.messages.get(id);
  if (!message || hasReceived(reader, user, message)) return message;
  return canReadMessage(reader, user, message) ? message : undefined;
}

function addId(chunks: Map<number, Chunk>, id: number): void {
  const n = chunkOf(id);
  let chunk = chunks.get(n);
  if (!chunk) chunks.set(n, (chunk = emptyChunk()));
  setRange(chunk, offsetOf(id), offsetOf(id));
}

/** Flags that clients receive but only the server sets. */
const FIXED_FLAGS: readonly string[] = [
  "mentioned",
  "stream_wildcard_mentioned",
  "topic_wildcard_mentioned",
  "wildcard_mentioned",
  "group_mentioned",
  "has_alert_word",
  "historical",
  "force_expand",
  "force_collapse",
];

function decodeOperation(op: string, flag: string): FlagOperation {
  if (!Object.hasOwn(EDITABLE_FLAGS, flag)) {
    throw FIXED_FLAGS.includes(flag) ? flagNotEditable(flag) : flagUnknown(flag);
  }
  if (op !== "add" && op !== "remove") throw flagOperationUnknown(op);
  return op;
}

const flaggedShape = Type.Object({
  ignored_because_not_subscribed_channels: Type.Optional(list(Type.Integer())),
});

export const postFlags = endpoint({
  summary: "Add or remove a personal flag of messages",
  tag: "Messages",
  params: { messages: json(Type.Array(Type.Integer())), op: text, flag: text },
  answer: Type.Object({ messages: list(Type.Integer()), ...flaggedShape.properties }),
  async run({ realm, user }, { messages, op, flag }) {
    const operation = decodeOperation(op, flag);
    const { ignored } = await updateFlagsInSteps(realm, user, operation, flag, messages);
    return { messages, ignored_because_not_subscribed_channels: ignored };
  },
});

export const postFlagsOfNarrow = endpoint({
  summary: "Add or remove a personal flag of the messages of a narrow",
  tag: "Messages",
  params: {
    anchor: text,
    include_anchor: defaulted(bool, true),
    num_before: nonNegativeInt,
    num_after: nonNegativeInt,
    narrow: json(Type.Array(Type.Unknown(), { maxItems: NARROW_TERMS_MAX })),
    op: text,
    flag: text,
  },
  answer: Type.Object({
    processed_count: Type.Integer(),
    updated_count: Type.Integer(),
    first_processed_id: nullable(Type.Integer()),
    last_processed_id: nullable(Type.Integer()),
    found_oldest: Type.Boolean(),
    found_newest: Type.Boolean(),
    ...flaggedShape.properties,
  }),
  refuses: ["BAD_NARROW"],
  async run({ realm, user }, { anchor, include_anchor, narrow, op, flag, ...counts }) {
    const terms = decodeNarrow(narrow);
    const operation = decodeOperation(op, flag);
    if (anchor === "date") throw invalidValue("anchor");
    const isInside = counts.num_before > 0 && counts.num_after > 0;
    if (!include_anchor && isInside) throw anchorNotAtEnd();
    const half = FETCH_MESSAGES_MAX / 2;
    const space = Math.max(FETCH_MESSAGES_MAX - counts.num_after, half);
    const num_before = Math.min(counts.num_before, space);
    const num_after = Math.min(counts.num_after, FETCH_MESSAGES_MAX - num_before);
    const { read } = realm;
    const messageOf = cachedMessages(read);
    const set = planNarrow(read, user, terms, messageOf);
    const anchor_id = anchorId(read, user, set, messageOf, anchor);
    const window = { anchor: anchor_id, include_anchor, num_before, num_after };
    const { ids, found_oldest, found_newest } = fetchWindow(read, set, window);
    const { updated, ignored } = await updateFlagsInSteps(realm, user, operation, flag, ids);
    return {
      processed_count: ids.length,
      updated_count: updated,
      first_processed_id: ids[0] ?? null,
      last_processed_id: ids.at(-1) ?? null,
      found_oldest,
      found_newest,
      ignored_because_not_subscribed_channels: ignored,
    };
  },
});
