// Turns threads of a channel into topics whose names are the same in every run.
import { decoded } from "../../../text/plain-text.ts";
import { withoutOuterSpace } from "../../../text/trim.ts";
import { cutTopic, topicName } from "../../messages/topic.ts";
import { secondsOf } from "../source/records-rules.ts";
import type { FoundMessage } from "../source/workspace.ts";

/** A thread with fewer replies stays in the channel's general topic, and its replies quote it. */
const THREAD_REPLIES_MIN = 2;
const NAME_LENGTH = 50;
const QUOTE_LENGTH_MAX = 80;
/**
 * The second thread with a name gets its day as a suffix; further ones get a number, starting with
 * this one.
 */
const FIRST_NUMBER = 2;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"].concat(
  ...["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
);

export interface Placed {
  /** Empty for the general topic. */
  readonly topic: string;
  /** The text that a reply quotes, if its thread has no separate topic. */
  readonly quote?: string;
}

/** Must be called for every message in order of time, with its plain text. */
export class Threads {
  /** The topic of a thread, or the text that replies quote, by conversation and root message. */
  private readonly placedThreads = new Map<string, Placed>();
  private readonly usedNames = new Set<string>();
  /** The last number of a name that several threads have, by conversation and name. */
  private readonly numbered = new Map<string, number>();

  /** `earlierTopic`: the topic of a message that an earlier run has imported. */
  constructor(
    private readonly earlierTopic: (sourceMessage: FoundMessage) => string | undefined = () =>
      undefined,
  ) {}

  /** The topic of a thread with messages so far; undefined if the thread has no separate topic. */
  topicOf(conversation_id: string, thread_ts: string): string | undefined {
    return this.placedThreads.get(`${conversation_id}/${thread_ts}`)?.topic || undefined;
  }

  topicFor(sourceMessage: FoundMessage, textOfMessage: () => string): Placed {
    const { ts, thread_ts = ts, reply_count = 0, root, thread_name } = sourceMessage.message;
    const { id, kind } = sourceMessage.conversation;
    const key = `${id}/${thread_ts}`;
    const isChannel = kind === "public" || kind === "private";
    const isOfThread = thread_name !== undefined || thread_ts !== ts || reply_count > 0;
    const thread = this.placedThreads.get(key);
    const isPlaced = thread_ts !== ts || thread_name !== undefined || thread?.topic;
    if (thread && isPlaced) return thread;
    const earlier = isChannel && isOfThread ? this.earlierTopic(sourceMessage) : undefined;
    if (earlier !== undefined) return this.placeAs(sourceMessage, key, earlier, textOfMessage);
    if (thread_name !== undefined && isChannel) {
      return this.remember(key, this.nameFor(id, thread_name, ts));
    }
    if (thread_ts !== ts) {
      if (!isChannel) return { topic: "" };
      return this.remember(
        key,
        this.nameFor(id, root?.text ?? "", secondsOf(thread_ts) ? thread_ts : ts),
      );
    }
    if (reply_count === 0) return { topic: "" };
    if (isChannel && reply_count >= THREAD_REPLIES_MIN) {
      return this.remember(key, this.nameFor(id, textOfMessage(), ts));
    }
    this.placedThreads.set(key, { topic: "", quote: firstLine(textOfMessage(), QUOTE_LENGTH_MAX) });
    return { topic: "" };
  }

  /** Keeps a thread in its topic, even if its first message was edited or got more replies. */
  private placeAs(
    { conversation: { id }, message: { ts, thread_ts = ts } }: FoundMessage,
    key: string,
    topic: string,
    textOfMessage: () => string,
  ): Placed {
    if (topic !== "") {
      this.claimTopic(id, topic);
      return this.remember(key, topic);
    }
    const quote = thread_ts === ts ? firstLine(textOfMessage(), QUOTE_LENGTH_MAX) : undefined;
    this.placedThreads.set(key, { topic: "", ...(quote !== undefined && { quote }) });
    return { topic: "" };
  }

  private remember(key: string, topic: string): Placed {
    const placement = { topic };
    this.placedThreads.set(key, placement);
    return placement;
  }

  private nameFor(conversation_id: string, text: string, ts: string): string {
    const time = new Date(secondsOf(ts) * 1000);
    const day = `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]}`;
    const name = firstLine(text, NAME_LENGTH) || `Thread of ${day} ${time.getUTCFullYear()}`;
    const shortName = name.slice(0, NAME_LENGTH);
    const freeTopic =
      this.claimTopic(conversation_id, name) ??
      this.claimTopic(conversation_id, `${shortName} · ${day}`);
    if (freeTopic !== undefined) return freeTopic;
    const counted = `${conversation_id}/${shortName}`;
    for (let nth = this.numbered.get(counted) ?? FIRST_NUMBER; ; nth++) {
      const numbered = this.claimTopic(conversation_id, `${shortName} (${nth})`);
      if (numbered === undefined) continue;
      this.numbered.set(counted, nth);
      return numbered;
    }
  }

  /** Returns the topic's name; undefined if another thread has it. */
  private claimTopic(conversation_id: string, name: string): string | undefined {
    const candidate = cutTopic(topicName(name));
    const key = `${conversation_id}/${candidate.toLowerCase()}`;
    if (candidate === "" || this.usedNames.has(key)) return undefined;
    this.usedNames.add(key);
    return candidate;
  }
}

const QUOTE_START = /^(`{3,})quote$/;
const LINK = /\[([^[\]\n]+)\]\([^()\s]+\)/g;
const FENCE = /^`{3,}[\w+#.-]*$/gm;

/** Removes quotes whose fences are closed. */
function withoutQuotes(lines: readonly string[]): string[] {
  const lastIndexes = new Map(lines.map((line, index) => [line, index]));
  const rest: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const fence = QUOTE_START.exec(line)?.[1];
    const hasEnd = fence !== undefined && (lastIndexes.get(fence) ?? 0) > index;
    if (hasEnd) index = lines.indexOf(fence, index);
    else rest.push(line);
  }
  return rest;
}

/** The first line outside of quotes and cards, without Markdown, truncated at a word. */
export function firstLine(text: string, length: number): string {
  const unquoted = withoutQuotes(text.split("\n")).join("\n");
  const withoutMarks = (unquoted.trim() === "" ? text : unquoted)
    .replaceAll(FENCE, "")
    .replaceAll(LINK, "$1");
  const lines = decoded(withoutMarks)
    .replaceAll(/[*_~`>[\]]|\p{C}/gu, (character) => (character === "\n" ? character : ""))
    .split("\n");
  const firstNonEmptyLine = withoutOuterSpace(lines.find((line) => line.trim() !== "") ?? "");
  const words = firstNonEmptyLine.replaceAll(/\s+/g, " ").replace(/^✔ /, "");
  const letters = [...words];
  if (letters.length <= length) return words;
  const shortName = letters.slice(0, length).join("");
  const space = shortName.lastIndexOf(" ");
  return `${(space > length / 2 ? shortName.slice(0, space) : shortName).trimEnd()}…`;
}
