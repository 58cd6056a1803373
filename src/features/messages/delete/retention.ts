// Deletes messages after their retention period, the oldest of each conversation first.
import { yieldToEventLoop } from "../../../async/yield.ts";
import { DAY_SECONDS } from "../../../contract/units.ts";
import type { Reader, Realm, Writer } from "../../../realm.ts";
import type { Message } from "../../../schema/records-messages.ts";
import { RETENTION_FOREVER } from "../../channels/rules.ts";
import { idSince } from "../../channels/id-since-wire.ts";
import { COST, type IdSet, idsFrom, StoredSet } from "../sets/sets.ts";
import { removeMessages } from "./remove.ts";

const STEP_MESSAGES_MAX = 50;
/** Maximum number of steps per run; the next run continues with the rest. */
const TURN_STEPS_MAX = 200;
const CONVERSATIONS_AT_ONCE = 100;

/** A channel or direct conversation that may have expired messages. */
type RetentionScope = { stream_id: number } | { recipient_id: number };

export async function expireMessages(realm: Realm): Promise<void> {
  if (!realm.read.realm.has(1)) return;
  let steps = TURN_STEPS_MAX;
  for await (const scope of expiringConversations(realm)) {
    let from: number | undefined = 1;
    await realm.inSteps((tx) => {
      from = expireIn(tx, scope, from!);
      return --steps > 0 && from !== undefined;
    });
    if (steps === 0) return;
  }
}

interface ExpiringMessages {
  /** Total number of messages. */
  messages: number;
  places: { stream_id: number | null; name: string | null; messages: number }[];
}

/**
 * Counts what would be deleted now. Direct conversations are counted together, to reveal none of
 * them.
 */
export async function expiring(realm: Realm): Promise<ExpiringMessages> {
  const { read } = realm;
  const conversations: ExpiringMessages["places"] = [];
  let directs = 0;
  for await (const scope of expiringConversations(realm)) {
    const last = idSince(read, expiryTime(read, scope)!) - 1;
    const { length } = idsFrom(messagesOf(read, scope), 0, last, Infinity);
    if ("recipient_id" in scope) directs += length;
    else {
      const { stream_id } = scope;
      conversations.push({ stream_id, name: read.channels.get(stream_id)!.name, messages: length });
    }
    await yieldToEventLoop();
  }
  if (directs > 0) conversations.push({ stream_id: null, name: null, messages: directs });
  return {
    messages: conversations.reduce((sum, conversation) => sum + conversation.messages, 0),
    places: conversations,
  };
}

/**
 * Deletes the oldest messages, starting at the id `from`. Returns the id to continue with, or
 * undefined when done.
 */
function expireIn(tx: Writer, scope: RetentionScope, from: number): number | undefined {
  const until = expiryTime(tx, scope);
  if (until === undefined) return undefined;
  const expiredIds = idsFrom(
    messagesOf(tx, scope),
    from,
    idSince(tx, until) - 1,
    STEP_MESSAGES_MAX,
  );
  // If the clock was wrong for a while, message ids do not follow time, so the time of each message
  // is checked.
  const expired = expiredIds.map((id) => tx.messages.get(id)!).filter(isBefore(until));
  removeMessages(tx, expired, null);
  return expiredIds.length === STEP_MESSAGES_MAX ? expiredIds.at(-1)! + 1 : undefined;
}

/** Yields conversations with expired messages; checking the others is cheap. */
async function* expiringConversations(realm: Realm): AsyncIterable<RetentionScope> {
  const { read } = realm;
  const since = new Map<number, number>();
  const isOld = (scope: RetentionScope) => {
    const until = expiryTime(read, scope);
    if (until === undefined) return false;
    const id = since.get(until) ?? idSince(read, until);
    since.set(until, id);
    return idsFrom(messagesOf(read, scope), 0, id - 1, 1).length > 0;
  };
  for (const [index, { stream_id }] of [...read.channels.range()].entries()) {
    if (isOld({ stream_id })) yield { stream_id };
    if (index % CONVERSATIONS_AT_ONCE === CONVERSATIONS_AT_ONCE - 1) await yieldToEventLoop();
  }
  if (read.settings.message_retention_days === RETENTION_FOREVER) return;
  for (let from = 0; ;) {
    const range = { from: [from], limit: CONVERSATIONS_AT_ONCE };
    const batch = [...read.conversations.range(range)];
    for (const { recipient_id } of batch) if (isOld({ recipient_id })) yield { recipient_id };
    if (batch.length < CONVERSATIONS_AT_ONCE) return;
    from = batch.at(-1)!.recipient_id + 1;
    await yieldToEventLoop();
  }
}

/** Messages before this time are expired; undefined if they are kept forever. */
function expiryTime(reader: Reader, scope: RetentionScope): number | undefined {
  const own = "stream_id" in scope ? reader.channels.get(scope.stream_id) : undefined;
  const days = own?.message_retention_days ?? reader.settings.message_retention_days;
  return days === RETENTION_FOREVER ? undefined : reader.now - days * DAY_SECONDS;
}

function messagesOf(reader: Reader, scope: RetentionScope): IdSet {
  if ("stream_id" in scope) {
    return new StoredSet("channel", COST.channel, reader.channel_messages, [scope.stream_id]);
  }
  const { recipient_id } = scope;
  return new StoredSet("conversation", COST.place, reader.conversation_messages, [recipient_id]);
}

const isBefore = (seconds: number) => (message: Message) => message.timestamp < seconds;
