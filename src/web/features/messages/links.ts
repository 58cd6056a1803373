// The links and files of a message, opened by keys.
import { openMenu } from "../../ui/menu.tsx";
import { say } from "../../words/words.ts";

const LINKS = ":scope > .msg-body .md a[href]";

/** None that a closed spoiler hides. */
const linksIn = (row: HTMLElement) =>
  [...row.querySelectorAll<HTMLAnchorElement>(LINKS)].filter((link) => link.checkVisibility());

export const hasLinks = (row: HTMLElement | undefined): boolean =>
  row !== undefined && linksIn(row).length > 0;

/** Follows a single link, or shows a menu of several. */
export function openLinks(row: HTMLElement): void {
  const links = linksIn(row);
  const [first] = links;
  if (links.length === 1) first!.click();
  else if (first) {
    const items = links.map((link) => {
      return { label: link.textContent?.trim() || link.href, run: () => link.click() };
    });
    openMenu(first, say("open-links"), items);
  }
}
