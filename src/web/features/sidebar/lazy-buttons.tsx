// The buttons of rows and headings, loaded after the first view.
import { BlankIcon } from "../../ui/loading/blank.tsx";
import { lazyAfterFirstView } from "../../ui/loading/lazy.tsx";

export const LazyRowMenuButton = lazyAfterFirstView(
  async () => (await import("./row-menu-button.tsx")).RowMenuButton,
);
export const LazyHeadingButtons = lazyAfterFirstView(
  async () => (await import("./heading-buttons.tsx")).HeadingButtons,
  () => <BlankIcon size="xs" />,
);
