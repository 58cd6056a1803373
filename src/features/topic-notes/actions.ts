// A note per topic, which everyone who may post in it can edit.
import Type from "typebox";
import { noteChanged, topicNotFound } from "../../contract/errors/messages.ts";
import { noteShape, noteVersionShape } from "../../contract/shapes/personal.ts";
import { list, nullable } from "../../contract/shapes/value-types.ts";
import { endpoint, int, nonNegativeInt, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { TopicNoteVersion } from "../../schema/records-messages.ts";
import type { Topic, User } from "../../schema/records.ts";
import { accessContent, wasSubscribed } from "../channels/access.ts";
import { claimForNote } from "../files/claim.ts";
import { canReadMessage } from "../messages/access.ts";
import { type ComposedMessage, compose } from "../messages/content/compose.ts";
import { checkCanPost, checkCanPostIn } from "../messages/send/can-send.ts";
import { topicName, topicOf } from "../messages/topic.ts";
import { NOTE_VERSIONS_MAX } from "./rules.ts";
import { noteObject, emitNotes } from "./wire.ts";

/** `composed`: null removes the note. `seenVersion`: the newest that the user knows, or 0. */
function writeNote(
  tx: Writer,
  user: User,
  topic_id: number,
  composed: ComposedMessage | null,
  seenVersion: number,
): void {
  const topic = tx.topics.get(topic_id);
  if (!topic) throw topicNotFound("");
  accessNote(tx, user, topic.stream_id, topic.name);
  const channel = tx.channels.get(topic.stream_id)!;
  checkCanPost(tx, user, channel);
  checkCanPostIn(tx, user, channel, topic.name, topic);
  const newest = newestVersion(tx, topic_id);
  if (seenVersion !== newest) throw noteChanged();

  const version = newest + 1;
  const versionFields = { version, updated_by: user.user_id, updated_at: tx.now };
  const content = composed?.content ?? "";
  const event_id = emitNotes(tx, topic.stream_id);
  tx.topic_note_versions.put({ topic_id, content, ...versionFields, event_id });
  if (composed) {
    const rendered_content = composed.rendered?.html ?? null;
    tx.topic_notes.put({ topic_id, content, rendered_content, ...versionFields });
  } else tx.topic_notes.delete(topic_id);
  claimForNote(tx, user, topic_id, composed?.rendered?.upload_path_ids ?? []);
  tx.topic_note_versions.delete(topic_id, version - NOTE_VERSIONS_MAX);
}

/** Throws an error unless the topic exists and the user can read its newest message. */
function accessNote(reader: Reader, user: User, stream_id: number, name: string): Topic {
  const topic = readableTopic(reader, user, stream_id, name);
  if (!topic) throw topicNotFound(name);
  return topic;
}

/** Undefined if the topic does not exist, or if the user cannot read its newest message. */
function readableTopic(reader: Reader, user: User, stream_id: number, name: string) {
  accessContent(reader, user, stream_id);
  const topic = topicOf(reader, stream_id, topicName(name));
  const newest = topic && reader.messages.get(topic.last_id);
  return newest && canReadMessage(reader, user, newest) ? topic : undefined;
}

function newestVersion(reader: Reader, topic_id: number): number {
  const range = { from: [topic_id], to: [topic_id + 1], reverse: true, limit: 1 };
  const [newest] = reader.topic_note_versions.range(range);
  return newest?.version ?? 0;
}

const params = { stream_id: int, topic: text };

export const getNote = endpoint({
  summary: "Fetch the note of a topic",
  tag: "Channels",
  params,
  answer: Type.Object({ note: nullable(noteShape), version: Type.Integer() }),
  run: ({ realm: { read }, user }, { stream_id, topic: name }) => {
    // Clients request the note before the first message of a topic is sent.
    const topic = readableTopic(read, user, stream_id, name);
    if (!topic) return { note: null, version: 0 };
    const { topic_id } = topic;
    const note = read.topic_notes.get(topic_id);
    return { note: note ? noteObject(read, note) : null, version: newestVersion(read, topic_id) };
  },
});

export const getNoteHistory = endpoint({
  summary: "Fetch the versions of the note of a topic, the newest first",
  tag: "Channels",
  params,
  answer: Type.Object({ versions: list(noteVersionShape) }),
  run: ({ realm: { read }, user }, { stream_id, topic: name }) => {
    const { topic_id } = accessNote(read, user, stream_id, name);
    const range = { from: [topic_id], to: [topic_id + 1], reverse: true, limit: NOTE_VERSIONS_MAX };
    const canRead = versionFilter(read, user, stream_id);
    const versions = [...read.topic_note_versions.range(range)].filter(
      (version, index) => index === 0 || canRead(version),
    );
    return {
      versions: versions.map(({ topic_id: _topic_id, event_id: _event_id, ...shown }) => shown),
    };
  },
});

/** A channel can hide its history, to which earlier versions belong, from later subscribers. */
function versionFilter(
  reader: Reader,
  { user_id }: User,
  stream_id: number,
): (version: TopicNoteVersion) => boolean {
  const { invite_only, history_public_to_subscribers } = reader.channels.get(stream_id)!;
  if (!invite_only || history_public_to_subscribers) return () => true;
  const subscription = reader.subscriptions.get(user_id, stream_id);
  return ({ event_id }) =>
    subscription !== undefined && event_id !== undefined && wasSubscribed(subscription, event_id);
}

export const putNote = endpoint({
  summary: "Change the note of a topic; an empty one removes it",
  tag: "Channels",
  params: { ...params, content: text, version: nonNegativeInt },
  answer: Type.Object({ version: Type.Integer() }),
  run: async ({ realm, user }, { stream_id, topic: name, content, version }) => {
    const { topic_id } = accessNote(realm.read, user, stream_id, name);
    const composed = content.trim() === "" ? null : compose(realm.read, user, content);
    await realm.write((tx) => writeNote(tx, user, topic_id, composed, version));
    return { version: version + 1 };
  },
});
