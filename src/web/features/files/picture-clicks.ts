// Opens images of messages in the lightbox, by click or by key.
import { registerCommands, onTarget } from "../../ui/keys/commands.ts";
import { onRowAction } from "../../feed/row-actions.ts";
import { isInFeed, selectedRow } from "../conversation/selection-state.ts";
import { openLightbox } from "./open-lightbox.tsx";
import { picturesIn } from "./pictures.ts";

function open(node: HTMLElement): void {
  const all = picturesIn(node.closest(".feed") ?? document);
  const index = all.findIndex((picture) => picture.node === node);
  if (index !== -1) void openLightbox(all, index);
}

onRowAction("lightbox", ({ node }) => open(node));

function firstPicture(): HTMLElement | undefined {
  const row = selectedRow();
  return row ? picturesIn(row)[0]?.node : undefined;
}

registerCommands({
  id: "view-media",
  textKey: "view-media",
  keys: ["v"],
  ...onTarget(() => (isInFeed() ? firstPicture() : undefined), open),
});
