// The versions of a message, oldest first.
import Type, { type Static } from "typebox";
import { editHistoryDisabled } from "../../../contract/errors/messages.ts";
import { list, nullable, partial, seconds } from "../../../contract/shapes/value-types.ts";
import { bool, defaulted, endpoint, int } from "../../../endpoint.ts";
import type { Reader } from "../../../realm.ts";
import type { EditHistoryEntry, Message } from "../../../schema/records-messages.ts";
import type { User } from "../../../schema/records.ts";
import { htmlDiff } from "../../../text/word-diff.ts";
import { channelAccessOf } from "../../channels/access.ts";
import { accessMessage } from "../access.ts";
import { editHistoryOf, visibleEntries } from "../edit-history-wire.ts";
import { shownHtml } from "../foreign-media-wire.ts";
import { subjectOf } from "../spelling-wire.ts";
import { movesOnly, renderedOf, shownTopic } from "../wire.ts";

const stateThenShape = Type.Object({
  timestamp: seconds,
  content: Type.String(),
  rendered_content: Type.String(),
  topic: Type.String(),
  user_id: nullable(Type.Integer()),
  ...partial({
    prev_content: Type.String(),
    prev_rendered_content: Type.String(),
    content_html_diff: Type.String(),
    prev_topic: Type.String(),
    prev_stream: Type.Integer(),
    stream: Type.Integer(),
  }),
});

type MessageVersion = Static<typeof stateThenShape>;

/** A version of the message. */
interface State {
  topic: string;
  content: string;
  rendered_content: string;
}

function historyOf(
  reader: Reader,
  user: User,
  message_id: number,
  displayTopic: (topic: string) => string,
): MessageVersion[] {
  const message = accessMessage(reader, user, message_id);
  const policy = reader.settings.message_edit_history_visibility_policy;
  if (policy === "none") throw editHistoryDisabled();

  const all = editHistoryOf(reader)(message).edit_history ?? [];
  const sentItems = policy === "all" ? all : all.flatMap(movesOnly);
  const entries = visibleEntries(sentItems, channelAccessOf(reader, user));
  const versions: MessageVersion[] = [];
  let state: State = {
    topic: subjectOf(reader, message),
    content: message.content,
    rendered_content: renderedOf(reader, message),
  };
  for (const storedEntry of entries) {
    const entry = withShownTopics(reader, storedEntry);
    versions.push(versionOf(state, entry, displayTopic));
    state = {
      topic: entry.prev_topic ?? state.topic,
      content: entry.prev_content ?? state.content,
      rendered_content: entry.prev_rendered_content ?? state.rendered_content,
    };
  }
  versions.push({ ...shownState(state, displayTopic), ...firstVersionOf(message) });
  return versions.reverse();
}

function withShownTopics(reader: Reader, entry: EditHistoryEntry): EditHistoryEntry {
  const html = entry.prev_rendered_content;
  return html === undefined ? entry : { ...entry, prev_rendered_content: shownHtml(reader, html) };
}

const firstVersionOf = ({ timestamp, sender_id }: Message) => ({ timestamp, user_id: sender_id });

function shownState({ topic, ...rest }: State, displayTopic: (topic: string) => string) {
  return { topic: displayTopic(topic), ...rest };
}

function versionOf(
  state: State,
  { topic: _topic, prev_topic, ...entry }: EditHistoryEntry,
  displayTopic: (topic: string) => string,
): MessageVersion {
  const { prev_rendered_content: before } = entry;
  return {
    ...shownState(state, displayTopic),
    ...entry,
    ...(prev_topic !== undefined && { prev_topic: displayTopic(prev_topic) }),
    ...(before !== undefined && { content_html_diff: htmlDiff(before, state.rendered_content) }),
  };
}

export const getHistory = endpoint({
  summary: "Get the edit history of a message",
  tag: "Messages",
  params: { message_id: int, allow_empty_topic_name: defaulted(bool, false) },
  answer: Type.Object({ message_history: list(stateThenShape) }),
  run({ realm, user }, { message_id, allow_empty_topic_name }) {
    const isDirect = realm.read.messages.get(message_id)?.stream_id === 0;
    const displayTopic = (topic: string) => shownTopic(topic, allow_empty_topic_name || isDirect);
    return { message_history: historyOf(realm.read, user, message_id, displayTopic) };
  },
});
