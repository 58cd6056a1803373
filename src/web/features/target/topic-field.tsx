// The topic that a message goes to: one that is there already, or a new one.
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { TOPIC_LENGTH_MAX } from "../../../features/messages/rules.ts";
import { keyed, now } from "../../live.ts";
import { say } from "../../words/words.ts";
import { topicName } from "../conversation/drawing.ts";
import { topicsOf } from "../typeahead/suggest-places.ts";
import { channelOf } from "../typeahead/names.ts";
import { loadTopics } from "../typeahead/load.ts";
import { type Choice, Combo } from "./combo.tsx";
import { topicsPolicy } from "./topics-policy.ts";

interface TopicFieldGiven {
  stream_id: number;
  topic: string;
  isNeeded: boolean;
  onTopic: (topic: string) => void;
  hasFocus?: boolean;
  onDone?: () => void;
  /** As in `Combo`. */
  isInForm?: boolean;
}

/** Topics that are there first, the newest on top; last, what is typed as a new one. */
export function TopicField(props: TopicFieldGiven) {
  const { stream_id, topic, isNeeded, onTopic, ...more } = props;
  keyed(`topics:${stream_id}`);
  const choicesFor = (text: string): Choice[] => {
    const typed = text.trim();
    const isSame = (name: string) => name.toLowerCase() === typed.toLowerCase();
    const known = topicsOf(stream_id, text, now());
    // An exact match comes before newer topics that contain the text.
    known.sort((a, b) => Number(isSame(b)) - Number(isSame(a)));
    const all = known.map((name) => ({
      key: name,
      row: <bdi class="t">{topicName(name)}</bdi>,
      isTyped: name === typed,
      choose: () => onTopic(name),
    }));
    if (typed === "" || known.some(isSame)) return all;
    const made = {
      key: " new",
      row: <span class="t">{say("new-topic", { topic: typed })}</span>,
      isTyped: true,
      choose: () => onTopic(typed),
    };
    return [...all, made];
  };
  return (
    <Combo
      name="topic"
      label={say("topic")}
      placeholder={isNeeded ? say("topic-needed") : topicName("")}
      value={topic}
      choicesFor={choicesFor}
      onInput={(text) => onTopic([...text].slice(0, TOPIC_LENGTH_MAX).join(""))}
      {...more}
    />
  );
}

/** In a dialog, with its name above; a channel without topics has nothing to choose. */
export function TopicBox({ stream_id, topic }: { stream_id: number; topic: Signal<string> }) {
  keyed("channels", "realm");
  useEffect(() => void loadTopics(stream_id), [stream_id]);
  const policy = policyIn(stream_id);
  if (policy === "empty_topic_only") return null;
  return (
    <div class="label">
      {say("topic")}
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
export function topicIn(stream_id: number, typed: string): string | undefined {
  const policy = policyIn(stream_id);
  if (policy === "empty_topic_only") return "";
  return typed.trim() || (policy === "disable_empty_topic" ? undefined : "");
}

function policyIn(stream_id: number) {
  const channel = channelOf(stream_id);
  return channel && topicsPolicy(channel, now().organization.fields);
}
