// What the word before the caret asks for: people, channels, topics, emoji, commands, languages.
import { isInFence } from "../editor/edits.ts";

export type TriggerKind = "person" | "silent" | "channel" | "topic" | "emoji" | "slash" | "code";

export interface Trigger {
  readonly kind: TriggerKind;
  /** What is typed of the name. */
  readonly query: string;
  /** Where the word begins; it ends at the caret. */
  readonly start: number;
  /** Of a topic: the name of its channel. */
  readonly channel?: string;
}

/** No name is longer, and no word is looked for further back. */
const BACK_MAX = 120;
const WORDS_MAX = 4;
const BEFORE = String.raw`(?<=^|[\s'"({\[/<])`;

const PERSON = new RegExp(`${BEFORE}@(_?)(?:\\*{1,2})?([^@*\\n]*)$`);
const TOPIC = new RegExp(`${BEFORE}#(?:\\*\\*)?([^*#>\\n]+)>([^*\\n]*)$`);
const CHANNEL = new RegExp(`${BEFORE}#(?:\\*\\*)?([^*#>\\n]*)$`);
const EMOJI = /(?<=^|[\s'"({[/<>,.;!?])(?::)([\w+-]+)$/;
const SLASH = /^\/([\w-]*)$/;
const FENCE = /(?<=^|\n)\s*(?:`{3,}|~{3,})([\w+#.-]*)$/;

/** Undefined: nothing is asked for, as in code. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(Math.max(0, caret - BACK_MAX), caret);
  const slash = caret <= BACK_MAX ? SLASH.exec(before) : null;
  if (slash) return { kind: "slash", query: slash[1]!, start: 0 };
  const fence = FENCE.exec(before);
  const lineStart = text.lastIndexOf("\n", caret - 1) + 1;
  const isCode = isInFence(text.slice(0, lineStart));
  if (fence) {
    const [, query = ""] = fence;
    if (isCode || query === "") return undefined;
    return { kind: "code", query, start: caret - query.length };
  }
  if (!/[@#:]/.test(before) || isCode || isInSpan(text.slice(lineStart, caret))) return undefined;
  return spokenAt(text.slice(Math.max(lineStart, caret - BACK_MAX), caret), caret);
}

function spokenAt(line: string, caret: number): Trigger | undefined {
  const emoji = EMOJI.exec(line);
  if (emoji) return { kind: "emoji", query: emoji[1]!, start: caret - emoji[0].length };
  const person = PERSON.exec(line);
  if (person && isName(person[2]!)) {
    const kind = person[1] === "_" ? "silent" : "person";
    return { kind, query: person[2]!, start: caret - person[0].length };
  }
  const topic = TOPIC.exec(line);
  if (topic) {
    const [all, channel, query] = topic;
    return { kind: "topic", channel: channel!, query: query!, start: caret - all.length };
  }
  const channel = CHANNEL.exec(line);
  if (!channel || !isName(channel[1]!)) return undefined;
  return { kind: "channel", query: channel[1]!, start: caret - channel[0].length };
}

/** A name has no space before it, and is a few words long. */
const isName = (text: string) => !/^\s/.test(text) && text.split(/\s+/).length <= WORDS_MAX;

/** An odd number of marks of code stands before. */
const isInSpan = (line: string) => (line.match(/`/g)?.length ?? 0) % 2 === 1;
