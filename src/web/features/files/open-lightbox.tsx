// Opens the lightbox, as a dark surface with the image's name until its script has loaded.
import { useLayoutEffect, useRef } from "preact/hooks";
import { itemAt } from "../../content/item-at.ts";
import { IconButton } from "../../ui/button.tsx";
import { trapFocus } from "../../ui/dialog.tsx";
import { closeLayer } from "../../ui/layers.ts";
import { lazyLayer } from "../../ui/loading/lazy-layer.tsx";
import { t } from "../../words/words.ts";
import type { Picture } from "./pictures.ts";

const LIGHTBOX = "lightbox";
const open = lazyLayer(() => import("./lightbox.tsx"));

export function openLightbox(pictures: readonly Picture[], index: number): Promise<void> {
  const { name } = itemAt(pictures, index);
  const Surface = ({ children }: { children: preact.ComponentChildren }) => (
    <BlankLightbox name={name}>{children}</BlankLightbox>
  );
  const layer = { id: LIGHTBOX, Surface, blank: "" };
  return open(layer, ({ showLightbox }) => showLightbox(pictures, index));
}

function BlankLightbox({ name, children }: { name: string; children: preact.ComponentChildren }) {
  const node = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => node.current?.focus(), []);
  return (
    <div
      class="lightbox"
      role="dialog"
      aria-modal="true"
      aria-label={name}
      tabIndex={-1}
      ref={node}
      onKeyDown={(event) => event.key === "Tab" && trapFocus(event, event.currentTarget)}
    >
      <header>
        <div>
          <b>
            <bdi>{name}</bdi>
          </b>
          <small>&nbsp;</small>
        </div>
        <div class="acts">
          <IconButton icon="x" label={t("close")} onClick={() => closeLayer(LIGHTBOX)} />
        </div>
      </header>
      <figure>{children}</figure>
    </div>
  );
}
