// Threads of a Slack channel become topics, with names that are the same in every run.
import { withoutOuterSpace } from "../../../text/ends.ts";
import { cutTopic, topicName } from "../../messages/topic.ts";
import { secondsOf } from "./export-rules.ts";
import type { Found } from "./reading.ts";

/** A thread with fewer replies stays among the other messages, and its replies quote it. */
export const THREAD_REPLIES_MIN = 2;
const NAME_LENGTH = 50;
const QUOTE_LENGTH_MAX = 80;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"].concat(
  ...["Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
);

export interface Placed {
  /** Empty: general chat. */
  readonly topic: string;
  /** The message that a reply answers, if the reply is not in a topic of its own. */
  readonly quote?: string;
}

/** To be asked about every message in order of time, as plain text. */
export class Threads {
  /** By conversation and root message: the topic, or the text that replies quote. */
  private readonly known = new Map<string, Placed>();
  private readonly taken = new Set<string>();

  place({ conversation: { id, kind }, message }: Found, plain: () => string): Placed {
    const { ts, thread_ts = ts, reply_count = 0, root } = message;
    const key = `${id}/${thread_ts}`;
    const isChannel = kind === "public" || kind === "private";
    if (thread_ts !== ts) {
      const placed = this.known.get(key);
      if (placed) return placed;
      if (!isChannel) return { topic: "" };
      return this.remember(key, this.nameFor(id, root?.text ?? "", thread_ts));
    }
    if (reply_count === 0) return { topic: "" };
    if (isChannel && reply_count >= THREAD_REPLIES_MIN) {
      return this.remember(key, this.nameFor(id, plain(), ts));
    }
    this.known.set(key, { topic: "", quote: firstLine(plain(), QUOTE_LENGTH_MAX) });
    return { topic: "" };
  }

  private remember(key: string, topic: string): Placed {
    const placed = { topic };
    this.known.set(key, placed);
    return placed;
  }

  private nameFor(conversation_id: string, text: string, ts: string): string {
    const time = new Date(secondsOf(ts) * 1000);
    const day = `${time.getUTCDate()} ${MONTHS[time.getUTCMonth()]}`;
    const name = firstLine(text, NAME_LENGTH) || `Thread of ${day} ${time.getUTCFullYear()}`;
    const cut = name.slice(0, NAME_LENGTH);
    for (let nth = 0; ; nth++) {
      const end = nth === 0 ? "" : nth === 1 ? ` · ${day}` : ` (${nth})`;
      const wanted = cutTopic(topicName(`${nth === 0 ? name : cut}${end}`));
      const key = `${conversation_id}/${wanted.toLowerCase()}`;
      if (wanted === "" || this.taken.has(key)) continue;
      this.taken.add(key);
      return wanted;
    }
  }
}

/** The first line without Markdown, cut at a word. */
export function firstLine(text: string, length: number): string {
  const lines = text
    .replaceAll(/[*_~`>[\]]|\p{C}/gu, (sign) => (sign === "\n" ? sign : ""))
    .split("\n");
  const line = withoutOuterSpace(lines.find((one) => one.trim() !== "") ?? "");
  const words = line.replaceAll(/\s+/g, " ").replace(/^✔ /, "");
  const letters = [...words];
  if (letters.length <= length) return words;
  const cut = letters.slice(0, length).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
