/** A message as the client stores it, and related types. */
import type { Static } from "typebox";
import type { foundMessageShape } from "../../contract/shapes/messages.ts";
import type { ExclusiveUnion } from "./snapshot.ts";

type ServerMessage = Static<typeof foundMessageShape>;

export type Reaction = ServerMessage["reactions"][number];
export type Submessage = ServerMessage["submessages"][number];

/** State of an unconfirmed message. */
export interface Sending {
  local_id: string;
  state: "sending" | "waiting" | "sent" | "refused" | "unsure";
  /** Why it was rejected, in the server's words. */
  text: string | undefined;
  /** When it was written, in milliseconds since 1970. */
  made: number;
  /** Only an edit of the message is unconfirmed. */
  isChange?: boolean;
}

/** Fields that an unconfirmed message has too. */
type KnownField =
  | "type"
  | "id"
  | "sender_id"
  | "sender_full_name"
  | "stream_id"
  | "display_recipient"
  | "subject"
  | "content"
  | "timestamp"
  | "is_me_message"
  | "reactions"
  | "submessages"
  | "topic_links";

interface ClientFields {
  flags: readonly string[];
  /** The id that this client assigned before the message was confirmed. */
  local_message_id?: string;
  /** Set for the user's own unconfirmed messages. */
  sending?: Sending;
}

type StoredMessage<M> = M extends ServerMessage
  ? Pick<M, KnownField & keyof M> & Partial<Omit<M, KnownField | keyof ClientFields>> & ClientFields
  : never;

/** A message in a channel or a direct message, as the client stores it. */
export type Message = ExclusiveUnion<StoredMessage<ServerMessage>>;
export type ChannelMessage = Extract<Message, { type: "stream" }>;
