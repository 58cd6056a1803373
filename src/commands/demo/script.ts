// Parses the conversations of the sample organization from a simple text format.

export interface Line {
  /** A channel and topic, or users besides the visitor. */
  readonly conversation: { channel: string; topic: string } | { people: readonly string[] };
  readonly sender: string;
  readonly when: LineTime;
  readonly content: string;
  readonly reactions: readonly { emoji_name: string; people: readonly string[] }[];
  /** Votes by option number. */
  readonly votes: readonly { option: number; people: readonly string[] }[];
  /** Completed tasks by number, and who completed them. */
  readonly done: readonly { task: number; user: string }[];
}

/** A time on an earlier day or relative to now. Undefined: in sequence. */
type LineTime = { days: number; hour: number; minute: number } | { minutes: number } | undefined;

/**
 * `== channel > topic` or `== @Name @Name` starts a conversation. `-- Name, 3d 15:20` (or `95m`,
 * `9h`, or no time) starts a message, followed by its text. `++ emoji: Names` adds reactions, `??
 * 0: Names` votes in its poll, and `!! 0 Name` completes one of its tasks.
 */
export function readScript(text: string): Line[] {
  return text
    .split(/^== /m)
    .slice(1)
    .flatMap((part) => {
      const [head = "", ...messages] = part.split(/^-- /m);
      const conversation = conversationOf(head.trim());
      return messages.map((message) => lineOf(conversation, message));
    });
}

function conversationOf(head: string): Line["conversation"] {
  if (head.startsWith("@")) return { people: head.split(" ").map((name) => name.slice(1)) };
  const [channel = "", topic = ""] = head.split(" > ");
  return { channel, topic };
}

const ANNOTATION = /^(\+\+|\?\?|!!) (.+)$/;

function lineOf(conversation: Line["conversation"], message: string): Line {
  const [head = "", ...rows] = message.split("\n");
  const [userName = "", when = ""] = head.split(", ");
  const channelDescription = (character: string) =>
    rows.flatMap((row) => {
      const [, name, text = ""] = ANNOTATION.exec(row) ?? [];
      return name === character ? [text] : [];
    });
  return {
    conversation,
    sender: userName,
    when: whenOf(when),
    content: rows
      .filter((row) => !ANNOTATION.test(row))
      .join("\n")
      .trim(),
    reactions: channelDescription("++").map((text) => {
      const [emoji_name, people] = userAndNames(text);
      return { emoji_name, people };
    }),
    votes: channelDescription("??").map((text) => {
      const [option, people] = userAndNames(text);
      return { option: Number(option), people };
    }),
    done: channelDescription("!!").map((text) => {
      const [task, name = ""] = text.split(" ");
      return { task: Number(task), user: name };
    }),
  };
}

/** Parses `+1: Ines Bo`. */
function userAndNames(text: string): [string, string[]] {
  const [label = "", names = ""] = text.split(": ");
  return [label, names.split(" ")];
}

function whenOf(text: string): LineTime {
  const [, days, hour, minute] = /^(\d+)d (\d+):(\d+)$/.exec(text) ?? [];
  if (days !== undefined) return { days: Number(days), hour: Number(hour), minute: Number(minute) };
  const [, amount, unit] = /^(\d+)([mh])$/.exec(text) ?? [];
  if (amount === undefined) return undefined;
  return { minutes: Number(amount) * (unit === "h" ? 60 : 1) };
}

/** Returns Unix milliseconds, in the machine's time zone. */
export function timeOf(when: NonNullable<LineTime>, now: number): number {
  if ("minutes" in when) return now - when.minutes * 60_000;
  const day = new Date(now);
  day.setDate(day.getDate() - when.days);
  return day.setHours(when.hour, when.minute, 0, 0);
}
