// Converts message texts: links to files, and mentions of users who were renamed.
import { ownValue } from "../../../../text/input/own-value.ts";
import { MESSAGE_LENGTH_MAX } from "../../../messages/rules.ts";
import { linksHere } from "./file-paths.ts";
import { truncated } from "./rows.ts";

/** In Zulip's HTML, a mention contains the id of the user. */
const MENTION = /data-user-id="(\d{1,15})"[^<>]{0,200}>@?([^<>]{1,400})</g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x27;": "'",
};
const EMPTY = "(deleted)";
const TRUNCATED = "\n[message truncated]";

export interface TextContext {
  readonly oldUrl: string | undefined;
  nameOf(user_id: number): string | undefined;
}

/** `rendered` is used only for ids and never stored. */
export function textHere(context: TextContext, source: string, rendered: string | undefined) {
  const linked = linksHere(source, context.oldUrl);
  const withNames = rendered?.includes("data-user-id")
    ? renamed(context, linked, rendered)
    : linked;
  const text = withNames.trimEnd().replace(/^\n+/, "");
  if (text === "") return { text: EMPTY, isCut: false };
  const isCut = text.length > MESSAGE_LENGTH_MAX && [...text].length > MESSAGE_LENGTH_MAX;
  if (!isCut) return { text, isCut };
  return { text: truncated(text, MESSAGE_LENGTH_MAX - TRUNCATED.length) + TRUNCATED, isCut };
}

/** Zulip sends no message with more mentions. */
const MENTIONS_MAX = 1_000;

function renamed(context: TextContext, content: string, rendered: string): string {
  let text = content;
  const visited = new Set<string>();
  for (const [, digits, label = ""] of rendered.matchAll(MENTION)) {
    const id = Number(digits);
    const before = label.replaceAll(
      /&[#\w]{2,5};/g,
      (entity) => ownValue(ENTITIES, entity) ?? entity,
    );
    const now = context.nameOf(id);
    if (now === undefined || now === before || visited.has(`${id} ${before}`)) continue;
    visited.add(`${id} ${before}`);
    if (visited.size > MENTIONS_MAX) return text;
    for (const sign of ["@**", "@_**"]) {
      text = text.replaceAll(`${sign}${before}**`, () => `${sign}${now}|${id}**`);
      text = text.replaceAll(`${sign}${before}|${id}**`, () => `${sign}${now}|${id}**`);
    }
  }
  return text;
}
