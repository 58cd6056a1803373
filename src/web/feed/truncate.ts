// Truncates long messages, and collapsed ones to a line, with a button to show the rest.
import { element } from "../content/node.ts";
import { t } from "../words/words.ts";
import { heightsOf } from "./measure.ts";

/** Messages above this share of the scroller's height are cut. */
const SHARE_MAX = 1.5;
/** Shorter HTML never fills the screen. */
const LENGTH_MIN = 250;

/** Ids of messages that the user has expanded, until the page is closed. */
const full = new Set<number>();
/** Contents that have been measured. */
const judged = new WeakSet<Element>();

export function rememberExpanded(id: number): void {
  full.add(id);
}

/** Measures newly rendered rows; `height` is the scroller's. */
export function truncateLongRows(
  rows: readonly HTMLElement[],
  height: number,
  lengthOf: (id: number) => number,
): void {
  const max = SHARE_MAX * height;
  const fresh = rows.flatMap((row) => {
    const content = row.querySelector<HTMLElement>(":scope > .msg-body > .md");
    if (!content || judged.has(content)) return [];
    judged.add(content);
    if ("collapsed" in row.dataset) addMore(row, content);
    const id = Number(row.dataset["id"]);
    const isLong = lengthOf(id) >= LENGTH_MIN && !full.has(id) && !("collapsed" in row.dataset);
    return isLong ? [{ row, content }] : [];
  });
  const heights = heightsOf(fresh.map(({ content }) => content));
  for (const [index, { row, content }] of fresh.entries()) {
    if (heights[index]! <= max) continue;
    content.dataset["cut"] = "";
    content.style.setProperty("--cut", `${max}px`);
    addMore(row, content);
  }
}

/** Expands a truncated message. */
export function expandRow(row: HTMLElement): void {
  const content = row.querySelector<HTMLElement>(":scope > .msg-body > .md");
  if (content) delete content.dataset["cut"];
  row.querySelector(".msg-more")?.remove();
}

function addMore(row: HTMLElement, content: HTMLElement): void {
  if (row.querySelector(".msg-more")) return;
  const button = element("button", "msg-more", t("show-more"));
  button.type = "button";
  button.dataset["act"] = "show-more";
  content.after(button);
}
