// The button to the sidebar, where that has no room beside the sheet.
import { IconButton } from "../../ui/button.tsx";
import { say } from "../../words/words.ts";
import { openDrawer } from "../rail/drawer.ts";

/** `isTop`: a phone has the way at its foot there. */
export function BackButton({ isTop = false }: { isTop?: boolean }) {
  return (
    <IconButton
      class={isTop ? "icon-btn back back-top" : "icon-btn back"}
      icon="left"
      label={say("places")}
      onClick={openDrawer}
    />
  );
}
