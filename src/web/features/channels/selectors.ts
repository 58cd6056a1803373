// Texts about a channel for lists and bars, such as its description without Markdown.
import { parseContent } from "../../content/parse.ts";
import { subscribe } from "../../store/store.ts";
import { t } from "../../words/words.ts";
import type { Channel } from "./state.ts";

type DescribedChannel = Pick<Channel, "description" | "rendered_description">;

export function descriptionText({
  description,
  rendered_description: html,
}: DescribedChannel): string {
  // Most descriptions have no markup, so their HTML need not be parsed.
  if (html === `<p>${description}</p>`) return description;
  return (parseContent(html).textContent ?? "").trim();
}

/** The line below its name: the description and the number of subscribers. */
export function channelSubtitle(row: Channel): string {
  subscribe(`subscribers:${row.stream_id}`);
  const count = t("members", { count: row.subscriber_count });
  return [descriptionText(row), count].filter((text) => text !== "").join(" · ");
}
