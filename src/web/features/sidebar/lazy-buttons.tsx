// The buttons of rows and headings, loaded after the first view.
import { BlankIcon } from "../../ui/loading/blank.tsx";
import { later } from "../../ui/loading/lazy.tsx";

export const More = later(async () => (await import("./row-menu-button.tsx")).RowMore);
export const HeadActs = later(
  async () => (await import("./heading-buttons.tsx")).HeadActs,
  () => <BlankIcon size="xs" />,
);
