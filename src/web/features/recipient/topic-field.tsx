// The field for a message's topic: an existing topic or a new one.
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { TOPIC_LENGTH_MAX } from "../../../features/messages/rules.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import { topicName } from "../conversation/selectors.ts";
import { TopicName } from "../page/topic-name.tsx";
import { isResolved, unresolved } from "../topics/rules.ts";
import { topicsOf } from "../typeahead/suggest-places.ts";
import { channelOf } from "../typeahead/names.ts";
import { loadTopics } from "../typeahead/load.ts";
import { type ComboChoice, Combo } from "./combo.tsx";
import { topicsPolicy } from "./topics-policy.ts";

interface TopicFieldProps {
  stream_id: number;
  topic: string;
  isNeeded: boolean;
  /** Instead of the name of an empty topic. */
  placeholder?: string;
  onTopic: (topic: string) => void;
  hasFocus?: boolean;
  onDone?: () => void;
  /** See `Combo`. */
  isInForm?: boolean;
}

/** Existing topics first, newest on top; the typed text as a new topic last. */
export function TopicField(props: TopicFieldProps) {
  const { stream_id, topic, isNeeded, placeholder, onTopic, ...more } = props;
  subscribe(`topics:${stream_id}`);
  const choicesFor = (text: string): ComboChoice[] => {
    // The field shows a resolved topic without its prefix.
    const input = text === unresolved(topic) ? topic : text.trim();
    const isSame = (name: string) => name.toLowerCase() === input.toLowerCase();
    const knownTopics = topicsOf(stream_id, text, getState());
    // An exact match comes before newer topics that contain the text.
    knownTopics.sort((a, b) => Number(isSame(b)) - Number(isSame(a)));
    const all = knownTopics.map((name) => ({
      key: name,
      row: <TopicName topic={name} class="t" />,
      isTyped: name === input,
      choose: () => onTopic(name),
    }));
    if (input === "" || knownTopics.some(isSame)) return all;
    const option = {
      key: " new",
      row: <span class="t">{t("new-topic", { topic: input })}</span>,
      isTyped: true,
      choose: () => onTopic(input),
    };
    return [...all, option];
  };
  return (
    <>
      {isResolved(topic) && <Icon name="resolve" size={16} />}
      <Combo
        name="topic"
        label={t("topic")}
        placeholder={placeholder ?? (isNeeded ? t("topic-needed") : topicName(""))}
        value={unresolved(topic)}
        choicesFor={choicesFor}
        onInput={(text) => onTopic([...text].slice(0, TOPIC_LENGTH_MAX).join(""))}
        {...more}
      />
    </>
  );
}

/** A labeled field for dialogs; absent for channels without topics. */
export function TopicBox({ stream_id, topic }: { stream_id: number; topic: Signal<string> }) {
  subscribe("channels", "realm");
  useEffect(() => void loadTopics(stream_id), [stream_id]);
  const policy = policyIn(stream_id);
  if (policy === "empty_topic_only") return null;
  return (
    <div class="label">
      {t("topic")}
      <span class="field rel">
        <TopicField
          stream_id={stream_id}
          topic={topic.value}
          isNeeded={policy === "disable_empty_topic"}
          onTopic={(text) => (topic.value = text)}
          isInForm
        />
      </span>
    </div>
  );
}

/** The topic for the input. Undefined if the channel does not accept it. */
export function topicIn(stream_id: number, input: string): string | undefined {
  const policy = policyIn(stream_id);
  if (policy === "empty_topic_only") return "";
  return input.trim() || (policy === "disable_empty_topic" ? undefined : "");
}

function policyIn(stream_id: number) {
  const channel = channelOf(stream_id);
  return channel && topicsPolicy(channel, getState().organization.fields);
}
