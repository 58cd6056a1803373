// Pictures of messages in full: by a press on one, or by a key.
import { offer } from "../../commands.ts";
import { onAct } from "../../feed/acts.ts";
import { isInFeed, selectedRow } from "../conversation/current.ts";
import { picturesIn } from "./pictures.ts";

async function open(node: HTMLElement): Promise<void> {
  const all = picturesIn(node.closest(".feed") ?? document);
  const at = all.findIndex((picture) => picture.node === node);
  const { openLightbox } = await import("./lightbox.tsx");
  if (at !== -1) openLightbox(all, at);
}

onAct("lightbox", ({ node }) => void open(node));

function first(): HTMLElement | undefined {
  const row = selectedRow();
  return row ? picturesIn(row)[0]?.node : undefined;
}

offer({
  id: "view-media",
  words: "view-media",
  keys: ["v"],
  when: () => isInFeed() && first() !== undefined,
  run: () => open(first()!),
});
