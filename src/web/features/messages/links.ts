// Opens the links and files of a message with keys.
import { openMenu } from "../../ui/menu.tsx";
import { t } from "../../words/words.ts";

const LINKS = ":scope > .msg-body .md a[href]:not([download])";

/** Excludes links in closed spoilers. */
const linksIn = (row: HTMLElement) =>
  [...row.querySelectorAll<HTMLAnchorElement>(LINKS)].filter((link) => link.checkVisibility());

export const hasLinks = (row: HTMLElement | undefined): boolean =>
  row !== undefined && linksIn(row).length > 0;

/** Follows a single link, or shows a menu of several. */
export function openLinks(row: HTMLElement): void {
  const links = linksIn(row);
  const [first] = links;
  if (links.length === 1) first?.click();
  else if (first) {
    const items = links.map((link) => {
      const name = link.querySelector("b") ?? link;
      return { label: name.textContent?.trim() || link.href, run: () => link.click() };
    });
    openMenu(first, t("open-links"), items);
  }
}
