// Rules between the fields of an event, besides their types.

// oxlint-disable-next-line no-explicit-any -- events are untyped JSON
type JsonObject = Record<string, any>;

const isRising = (ids: readonly number[]) =>
  ids.every((id, index) => index === 0 || ids[index - 1]! < id);
const isSame = (items: readonly number[], others: readonly number[]) =>
  items.length === others.length && items.every((id, index) => id === others[index]);

/** Invariants by type, or type and op: a description and a predicate. */
const EVENT_RULES: Readonly<Record<string, readonly [string, (event: JsonObject) => boolean][]>> = {
  message: [
    [
      "a direct message names its sender among its people, and no topic",
      ({ message }) => message.type === "stream" || isDirect(message),
    ],
  ],
  update_message: [
    ["the ids rise", ({ message_ids }) => isRising(message_ids)],
    [
      "the message is among those that changed",
      ({ message_ids, message_id }) => message_ids.includes(message_id),
    ],
    [
      "a move goes somewhere else",
      ({ propagate_mode, orig_subject, subject = orig_subject, stream_id, new_stream_id }) =>
        propagate_mode === undefined ||
        subject !== orig_subject ||
        (new_stream_id !== undefined && new_stream_id !== stream_id),
    ],
  ],
  delete_message: [
    ["the ids rise, and there are some", ({ message_ids = [0] }) => isSome(message_ids)],
  ],
  "update_message_flags/add": [
    [
      "only reading is of all, and then names none",
      ({ all, flag, messages }) => !all || (flag === "read" && messages.length === 0),
    ],
    ["it is of all, or of some", ({ all, messages }) => all || messages.length > 0],
  ],
  "update_message_flags/remove": [
    ["it is of some", ({ messages }) => messages.length > 0],
    [
      "what is unread again is told in detail, and nothing else is",
      ({ flag, messages, message_details: received }) =>
        flag === "read"
          ? received !== undefined && isSame(inOrder(messages), inOrder(Object.keys(received)))
          : received === undefined,
    ],
  ],
  "stream/delete": [
    [
      "both forms name the same channels",
      ({ stream_ids, streams }) =>
        isSame(
          stream_ids,
          streams.map(({ stream_id }: JsonObject) => stream_id),
        ),
    ],
  ],
  "subscription/peer_add": [["of some, to some", hasRecipients]],
  "subscription/peer_remove": [["of some, to some", hasRecipients]],
  "typing/start": [["who types is among those who read", isAmongReaders]],
  "typing/stop": [["who types is among those who read", isAmongReaders]],
  user_status: [["something is said", (event) => Object.keys(event).length > 3]],
};

/** Returns the invariants that the event violates. */
export function brokenBy(kind: string, event: JsonObject): string[] {
  return (EVENT_RULES[kind] ?? []).filter(([, holds]) => !holds(event)).map(([rule]) => rule);
}

const isSome = (ids: readonly number[]) => ids.length > 0 && isRising(ids);
const inOrder = (ids: readonly (number | string)[]) => ids.map(Number).sort((a, b) => a - b);

function isDirect({ subject, sender_id, display_recipient }: JsonObject): boolean {
  return subject === "" && display_recipient.some(({ id }: JsonObject) => id === sender_id);
}

function hasRecipients({ stream_ids, user_ids }: JsonObject): boolean {
  return stream_ids.length > 0 && user_ids.length > 0;
}

function isAmongReaders({ recipients, sender }: JsonObject): boolean {
  if (recipients === undefined) return true;
  return recipients.some(({ user_id }: JsonObject) => user_id === sender.user_id);
}
