// Long messages are cut, and those that one has collapsed show a line; a button shows the rest.
import { element } from "../content/node.ts";
import { say } from "../words/words.ts";
import { heightsOf } from "./measure.ts";

/** Messages above this share of the scroller's height are cut. */
const SHARE_MAX = 1.5;
/** HTML that is shorter fills no screen. */
const LENGTH_MIN = 250;

/** Shown whole by a person; by id, as long as the page is open. */
const whole = new Set<number>();
/** Contents that were measured already. */
const judged = new WeakSet<Element>();

export function showWhole(id: number): void {
  whole.add(id);
}

export const isShownWhole = (id: number): boolean => whole.has(id);

/** Looks at the rows that were drawn since; `height` is the scroller's. */
export function cutLong(
  rows: readonly HTMLElement[],
  height: number,
  lengthOf: (id: number) => number,
): void {
  const most = SHARE_MAX * height;
  const fresh = rows.flatMap((row) => {
    const content = row.querySelector<HTMLElement>(":scope > .msg-body > .md");
    if (!content || judged.has(content)) return [];
    judged.add(content);
    if ("collapsed" in row.dataset) addMore(row, content);
    const id = Number(row.dataset["id"]);
    const isLong = lengthOf(id) >= LENGTH_MIN && !whole.has(id) && !("collapsed" in row.dataset);
    return isLong ? [{ row, content }] : [];
  });
  const heights = heightsOf(fresh.map(({ content }) => content));
  for (const [at, { row, content }] of fresh.entries()) {
    if (heights[at]! <= most) continue;
    content.dataset["cut"] = "";
    content.style.setProperty("--cut", `${most}px`);
    addMore(row, content);
  }
}

/** The rest of a message that is cut is there, out of sight. */
export function uncut(row: HTMLElement): void {
  const content = row.querySelector<HTMLElement>(":scope > .msg-body > .md");
  if (content) delete content.dataset["cut"];
  row.querySelector(".msg-more")?.remove();
}

function addMore(row: HTMLElement, content: HTMLElement): void {
  if (row.querySelector(".msg-more")) return;
  const button = element("button", "msg-more", say("show-more"));
  button.type = "button";
  button.dataset["act"] = "show-more";
  content.after(button);
}
