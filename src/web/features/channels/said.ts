// The words of a channel's description, without the signs of its Markdown, for lists and bars.
import { parseContent } from "../../content/parse.ts";
import { keyed } from "../../live.ts";
import { say } from "../../words/words.ts";
import type { Channel } from "./state.ts";

type Described = Pick<Channel, "description" | "rendered_description">;

export function saidOf({ description, rendered_description: html }: Described): string {
  // Most have no signs, and nothing need be read then.
  if (html === `<p>${description}</p>`) return description;
  return (parseContent(html).textContent ?? "").trim();
}

/** Below its name: what it is for, and how many are in it, as they come and go. */
export function subOf(row: Channel): string {
  keyed(`subscribers:${row.stream_id}`);
  const count = say("members", { count: row.subscriber_count });
  return [saidOf(row), count].filter((part) => part !== "").join(" · ");
}
