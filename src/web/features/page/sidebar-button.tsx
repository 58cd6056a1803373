// The button that opens the sidebar where it has no room beside the sheet.
import { IconButton } from "../../ui/button.tsx";
import { t } from "../../words/words.ts";
import { openDrawer } from "../sidebar/drawer-state.ts";

/** `isTop`: phones have a tab bar for this instead. */
export function SidebarButton({ isTop = false }: { isTop?: boolean }) {
  return (
    <IconButton
      class={isTop ? "icon-btn back back-top" : "icon-btn back"}
      icon="left"
      label={t("places")}
      onClick={openDrawer}
    />
  );
}
