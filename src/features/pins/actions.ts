// Pins messages of a channel for everyone who can read it.
import Type, { type Static } from "typebox";
import { tooMany } from "../../contract/errors/channels.ts";
import { directNotPinnable, pinningNotAllowed } from "../../contract/errors/messages.ts";
import { list, nothing } from "../../contract/shapes/value-types.ts";
import { pinShape } from "../../contract/shapes/personal.ts";
import { endpoint, int } from "../../endpoint.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { accessContent } from "../channels/access.ts";
import { accessToChange, canReadMessage } from "../messages/access.ts";
import { canResolve } from "../messages/permission-rules.ts";
import { actorOf } from "../messages/send/actor.ts";
import { excerptFor } from "../notifications/message-context.ts";
import { dropPin } from "./remove.ts";
import { PIN_EXCERPT_LENGTH_MAX, PINS_PER_CHANNEL_MAX } from "./rules.ts";
import { pinsChanged } from "./wire.ts";

function pinMessage(tx: Writer, user: User, message_id: number): void {
  const stream_id = accessToPin(tx, user, message_id);
  if (tx.message_pins.has(message_id)) return;
  if (tx.message_pins.countBy("channel", stream_id) >= PINS_PER_CHANNEL_MAX) {
    throw tooMany("pinned messages in a channel", PINS_PER_CHANNEL_MAX);
  }

  tx.message_pins.put({ message_id, stream_id, pinned_by: user.user_id, pinned_at: tx.now });
  tx.emit(pinsChanged(stream_id), { to: "subscribers", stream_id });
}

function unpinMessage(tx: Writer, user: User, message_id: number): void {
  accessToPin(tx, user, message_id);

  dropPin(tx, message_id);
}

/** Users who can resolve topics in the channel can pin messages. */
function accessToPin(reader: Reader, user: User, message_id: number): number {
  const { stream_id } = accessToChange(reader, user, message_id);
  const channel = reader.channels.get(stream_id);
  if (!channel) throw directNotPinnable();
  if (!canResolve(actorOf(reader, user), [channel])) throw pinningNotAllowed();
  return stream_id;
}

/** Newest pin first, without messages that the user may not read. */
function pinsFor(realm: Realm, user: User, stream_id: number): Static<typeof pinShape>[] {
  const reader = realm.read;
  const pins = reader.message_pins.listBy("channel", stream_id);
  return pins
    .sort((a, b) => b.pinned_at - a.pinned_at || b.message_id - a.message_id)
    .flatMap(({ message_id, pinned_by, pinned_at }) => {
      const message = reader.messages.get(message_id);
      if (!message || !canReadMessage(reader, user, message)) return [];
      const { sender_id, topic_id } = message;
      const topic = reader.topics.get(topic_id)?.name ?? "";
      const text = excerptFor(realm, user, message, false).text.replace(/\s+/gu, " ");
      const excerpt = text.slice(0, PIN_EXCERPT_LENGTH_MAX).toWellFormed();
      return [{ message_id, stream_id, topic, sender_id, excerpt, pinned_by, pinned_at }];
    });
}

export const getPins = endpoint({
  summary: "List the pinned messages of a channel",
  tag: "Messages",
  params: { stream_id: int },
  answer: Type.Object({ pins: list(pinShape) }),
  run: ({ realm, user }, { stream_id }) => {
    accessContent(realm.read, user, stream_id);
    return { pins: pinsFor(realm, user, stream_id) };
  },
});

export const postPin = endpoint({
  summary: "Pin a message in its channel",
  tag: "Messages",
  params: { message_id: int },
  answer: nothing,
  run: ({ realm, user }, { message_id }) =>
    realm.write((tx) => {
      pinMessage(tx, user, message_id);
      return {};
    }),
});

export const removePin = endpoint({
  summary: "Unpin a message",
  tag: "Messages",
  params: { message_id: int },
  answer: nothing,
  run: ({ realm, user }, { message_id }) =>
    realm.write((tx) => {
      unpinMessage(tx, user, message_id);
      return {};
    }),
});
