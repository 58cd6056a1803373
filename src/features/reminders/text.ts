// The text of a reminder: its message, the user's note, and an excerpt.
import { ownValue } from "../../text/input/own-value.ts";
import { fenced } from "../../text/markdown/make-fence.ts";
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { insertTruncated, authorOf, linkTo, urlOf } from "../messages/content/quoting.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import type { Word } from "../i18n/translations.ts";
import { WIDGET } from "../messages/rules.ts";

/** Returns the text in the user's language. */
export function wordsOf(reader: Reader, user: User, message: Message, note: string): string {
  const { translate } = userTranslator(user);
  const isDirect = message.stream_id === 0;
  const values = { message: isDirect ? translate("reminder-direct") : linkTo(reader, message) };
  const noteText = note === "" ? "" : ` ${translate("reminder-note")}\n${quoteBlock(note)}`;
  const text = translate("reminder-asked", values) + noteText;
  const author = authorOf(reader, user, message);
  const url = urlOf(reader, message);
  const widget = widgetIn(message);
  if (widget !== undefined) {
    return `${text}\n\n${translate("reminder-sent", { author, url, what: translate(widget) })}`;
  }
  const line = translate("reminder-said", { author, url });
  return insertTruncated(
    message.content,
    (content) => `${text}\n\n${line}\n${fenced("quote", content)}`,
  );
}

const quoteBlock = (note: string) =>
  note
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");

const WIDGETS: Readonly<Record<string, Word>> = { poll: "reminder-poll", todo: "reminder-todo" };

function widgetIn({ submessages }: Message): Word | undefined {
  const [seed] = submessages ?? [];
  // Other submessages are any JSON.
  if (seed?.msg_type !== WIDGET) return undefined;
  const { widget_type } = JSON.parse(seed.content) as { widget_type?: string };
  return ownValue(WIDGETS, widget_type ?? "");
}
