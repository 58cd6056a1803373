// The kind of suggestion for the word before the caret, such as user or emoji.
import { hasOpenCode, isInFence } from "../editor/edit-rules.ts";

type TriggerKind = "person" | "silent" | "channel" | "topic" | "emoji" | "slash" | "code";

export interface Trigger {
  readonly kind: TriggerKind;
  /** The typed part of the name. */
  readonly query: string;
  /** Start of the word, which ends at the caret. */
  readonly start: number;
  /** For topics: the name of the channel. */
  readonly channel?: string;
}

/** Longer than any name; text further back is not examined. */
const TRIGGER_LENGTH_MAX = 120;
const WORDS_MAX = 4;
const TRIGGER_BOUNDARY = String.raw`(?<=^|[\s'"({\[/<])`;

const PERSON = new RegExp(`${TRIGGER_BOUNDARY}@(_?)(?:\\*{1,2})?([^@*\\n]*)$`);
const TOPIC = new RegExp(`${TRIGGER_BOUNDARY}#(?:\\*\\*)?([^*#>\\n]+)>([^*\\n]*)$`);
const CHANNEL = new RegExp(`${TRIGGER_BOUNDARY}#(?:\\*\\*)?([^*#>\\n]*)$`);
const EMOJI = /(?<=^|[\s'"({[/<>,.;!?])(?::)([\w+-]+)$/;
const SLASH = /^\/([\w-]*)$/;
const FENCE = /(?<=^|\n)\s*(?:`{3,}|~{3,})([\w+#.-]*)$/;

/** undefined if there is nothing to suggest, as in code. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(Math.max(0, caret - TRIGGER_LENGTH_MAX), caret);
  const slash = caret <= TRIGGER_LENGTH_MAX ? SLASH.exec(before) : null;
  if (slash) return { kind: "slash", query: slash[1] ?? "", start: 0 };
  const fence = FENCE.exec(before);
  const lineStart = text.lastIndexOf("\n", caret - 1) + 1;
  const isCode = isInFence(text.slice(0, lineStart));
  if (fence) {
    const [, query = ""] = fence;
    if (isCode || query === "") return undefined;
    return { kind: "code", query, start: caret - query.length };
  }
  if (!/[@#:]/.test(before) || isCode || hasOpenCode(text.slice(lineStart, caret)))
    return undefined;
  return personTriggerAt(text.slice(Math.max(lineStart, caret - TRIGGER_LENGTH_MAX), caret), caret);
}

/** The last trigger that could continue. In a topic link, all text is its name. */
function personTriggerAt(line: string, caret: number): Trigger | undefined {
  const emoji = EMOJI.exec(line);
  if (emoji) return { kind: "emoji", query: emoji[1] ?? "", start: caret - emoji[0].length };
  const topic = topicAt(line, caret);
  if (topic && line.endsWith(`#**${topic.channel}>${topic.query}`)) return topic;
  const triggers = [personAt(line, caret), topic, channelAt(line, caret)];
  return triggers.reduce((last, trigger) =>
    trigger && trigger.start > (last?.start ?? -1) ? trigger : last,
  );
}

function personAt(line: string, caret: number): Trigger | undefined {
  const [all, silent, query = ""] = PERSON.exec(line) ?? [];
  if (all === undefined || !isName(query)) return undefined;
  const kind = silent === "_" ? "silent" : "person";
  return { kind, query, start: caret - all.length };
}

function topicAt(line: string, caret: number): Trigger | undefined {
  const [all, channel = "", query = ""] = TOPIC.exec(line) ?? [];
  if (all === undefined) return undefined;
  return { kind: "topic", channel, query, start: caret - all.length };
}

function channelAt(line: string, caret: number): Trigger | undefined {
  const [all, query = ""] = CHANNEL.exec(line) ?? [];
  if (all === undefined || !isName(query)) return undefined;
  return { kind: "channel", query, start: caret - all.length };
}

/** A name does not start with a space and has few words. */
const isName = (text: string) => !/^\s/.test(text) && text.split(/\s+/).length <= WORDS_MAX;
