// The endpoint that sends a message.
import Type from "typebox";
import {
  channelMissing,
  idempotencyKeyTooLong,
  topicMissing,
  widgetInvalid,
  widgetNotJson,
} from "../../../contract/errors/messages.ts";
import { topicPolicyShape } from "../../../contract/shapes/channels.ts";
import {
  bool,
  endpoint,
  withAlias,
  oneOf,
  optional,
  rawText,
  text,
  textOf,
} from "../../../endpoint.ts";
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { WIDGET_LENGTH_MAX, widgetContentFault } from "../../../text/widget.ts";
import { botOf } from "../../bots/wire.ts";
import { isBot } from "../../rights/rules.ts";
import { compose } from "../content/compose.ts";
import { topicName } from "../topic.ts";
import { backdating, sentAt } from "./backdating.ts";
import { requestedChannel, warnOwnerOnFailure, warnOfNoReceivers } from "./bot-warnings.ts";
import {
  channelNamed,
  decodeChannel,
  decodePeople,
  peopleNamed,
  type Recipient,
} from "./recipients.ts";
import { rememberToken, sendMessage, sentBefore, type SentMessage } from "./send.ts";

const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
/** Longer tokens are stored as their hash, because the token is part of a key. */
const TOKEN_LENGTH_MAX = 400;

/** Maximum length of a client's queue id and local message id, which the event returns. */
const LOCAL_ID_LENGTH_MAX = 1_000;
const localId = textOf({ max: LOCAL_ID_LENGTH_MAX });

export const postMessage = endpoint({
  summary: "Send a message",
  tag: "Messages",
  params: {
    type: oneOf("direct", "private", "channel", "stream"),
    to: optional(rawText),
    topic: optional(withAlias("subject", text)),
    content: text,
    queue_id: optional(localId),
    local_id: optional(localId),
    read_by_sender: optional(bool),
    widget_content: optional(textOf({ max: WIDGET_LENGTH_MAX })),
    ...backdating,
  },
  answer: Type.Object({
    id: Type.Integer(),
    automatic_new_visibility_policy: Type.Optional(topicPolicyShape),
  }),
  refuses: [
    "STREAM_DOES_NOT_EXIST",
    "STREAM_WILDCARD_MENTION_NOT_ALLOWED",
    "TOPIC_WILDCARD_MENTION_NOT_ALLOWED",
  ],
  run({ realm, user, client, request }, params): SentMessage | Promise<SentMessage> {
    const { queue_id, local_id } = params;
    const token = tokenOf(request, queue_id, local_id);
    const before = sentBefore(realm.read, user, token);
    if (before) return before;
    const timestamp = sentAt(user, params);
    const recipientIn = recipientOf(realm.read, user, params.type, params.to, params.topic);
    const composed = compose(realm.read, user, params.content);
    const read_by_sender = params.read_by_sender ?? displaysSentMessages(client);
    const widget = widgetFrom(params.widget_content);
    const options = { client, queue_id, local_id, read_by_sender, widget, timestamp };
    const sending = realm.write((tx) => {
      const duplicate = sentBefore(tx, user, token);
      if (duplicate) return duplicate;
      const recipient = recipientIn(tx);
      const result = sendMessage(tx, user, recipient, composed, options);
      rememberToken(tx, user, token, result.id);
      if (isBot(user)) warnOfNoReceivers(tx, user, recipient);
      return result;
    });
    const isToChannel = params.type === "channel" || params.type === "stream";
    if (!isBot(user) || !isToChannel) return sending;
    return warnOwnerOnFailure(realm, user, requestedChannel(realm.read, user, params.to), sending);
  },
});

/** Whether the client displays messages that it sends, so that they are read for their sender. */
export const displaysSentMessages = (client: string) => READING_CLIENTS.has(client.toLowerCase());

const READING_CLIENTS: ReadonlySet<string> = new Set([
  "zulipandroid",
  "zulipios",
  "zulipdesktop",
  "zulipmobile",
  "zulipelectron",
  "zulipterminal",
  "snipe",
  "website",
  "ios",
  "android",
]);

const idOf = ({ user_id }: User) => user_id;

/** The recipients as the request names them; they are resolved in the transaction. */
function recipientOf(
  read: Reader,
  sender: User,
  type: "direct" | "private" | "channel" | "stream",
  to: string | undefined,
  topic: string | undefined,
): (reader: Reader) => Recipient {
  if (type === "direct" || type === "private") {
    const people = decodePeople(to);
    return (reader) => ({ user_ids: peopleNamed(reader, sender, people).map(idOf) });
  }
  const channel = decodeChannel(to) ?? botOf(read, sender.user_id).default_sending_stream;
  if (channel === null) throw channelMissing();
  if (topic === undefined) throw topicMissing();
  // Rejects an invalid topic early. The send normalizes it again.
  topicName(topic);
  return (reader) => ({ stream_id: channelNamed(reader, sender, channel).stream_id, topic });
}

function widgetFrom(widget_content: string | undefined): object | undefined {
  if (widget_content === undefined) return undefined;
  let widget: unknown;
  try {
    widget = JSON.parse(widget_content);
  } catch {
    throw widgetNotJson();
  }
  const fault = widgetContentFault(widget);
  if (fault !== undefined) throw widgetInvalid(fault);
  return widget as object;
}

/** The token that identifies this send, if the request has one. */
export function tokenOf(
  request: Request,
  queue_id: string | undefined,
  local_id: string | undefined,
): string | undefined {
  const key = request.headers.get("idempotency-key");
  if (key !== null && key.length > IDEMPOTENCY_KEY_LENGTH_MAX) {
    throw idempotencyKeyTooLong(IDEMPOTENCY_KEY_LENGTH_MAX);
  }
  if (key !== null && key !== "") return `k:${key}`;
  if (queue_id === undefined || local_id === undefined) return undefined;
  const token = `q:${queue_id}:${local_id}`;
  if (token.length <= TOKEN_LENGTH_MAX) return token;
  return `h:${new Bun.CryptoHasher("sha256").update(token).digest("hex")}`;
}
