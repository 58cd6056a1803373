// What a reminder says: which message it is of, what its person noted, and what the message says.
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { around, authorOf, fenced, linkTo, urlOf } from "../messages/content/quoting.ts";

export function wordsOf(reader: Reader, user: User, message: Message, note: string): string {
  const isDirect = message.stream_id === 0;
  const what = isDirect ? "the following direct message" : linkTo(reader, message);
  const noted = note === "" ? "" : ` Note:\n${quoted(note)}`;
  const asked = `You requested a reminder for ${what}.${noted}`;
  const author = authorOf(reader, user, message);
  const url = urlOf(reader, message);
  const widget = widgetIn(message);
  if (widget !== undefined) return `${asked}\n\n${author} sent [${widget}](${url}).`;
  return around(
    message.content,
    (content) => `${asked}\n\n${author} [said](${url}):\n${fenced("quote", content)}`,
  );
}

const quoted = (note: string) =>
  note
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

const WIDGETS: Readonly<Record<string, string>> = { poll: "a poll", todo: "a todo list" };

function widgetIn({ submessages }: Message): string | undefined {
  const [seed] = submessages ?? [];
  if (!seed) return undefined;
  const { widget_type } = JSON.parse(seed.content) as { widget_type?: string };
  return WIDGETS[widget_type ?? ""];
}
