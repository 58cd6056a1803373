// The words of a channel's description, without the signs of its Markdown, for lists and bars.
import { parseContent } from "../../content/parse.ts";
import type { Channel } from "./state.ts";

type Described = Pick<Channel, "description" | "rendered_description">;

export function saidOf({ description, rendered_description: html }: Described): string {
  // Most have no signs, and nothing need be read then.
  if (html === `<p>${description}</p>`) return description;
  return (parseContent(html).textContent ?? "").trim();
}
