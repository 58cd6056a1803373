// Layers whose script is loaded when they are opened: until then, a placeholder is displayed.
import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { isAnswering, reloadPage } from "../../scripts.ts";
import { loadTexts, t } from "../../words/words.ts";
import { Button } from "../button.tsx";
import { Dialog } from "../dialog.tsx";
import { layers } from "../layer-state.ts";
import { closeLayer, openLayerSoon } from "../layers.ts";
import { BlankDialogRows } from "./blank.tsx";
import { loadStyles } from "./lazy-styles.ts";

interface LazyLayer {
  id: string;
  /** The placeholder, around its content. */
  Surface: (props: { children: ComponentChildren }) => preact.JSX.Element;
  /** Displayed in the surface while the script loads; by default, blank rows. */
  blank?: ComponentChildren;
  onClose?: (() => void) | undefined;
}

/** `show` opens the layer with the loaded part, unless the user has closed it meanwhile. */
type Opener<T> = (layer: LazyLayer, show: (loadedPart: T) => unknown) => Promise<void>;

export function lazyLayer<T>(find: () => Promise<T>): Opener<T> {
  let loadedPart: T | undefined;
  const load = async () =>
    (loadedPart = (await Promise.all([find(), loadTexts(), loadStyles()]))[0]);
  return async ({ id, Surface, blank, onClose }, show) => {
    const isFailed = signal(false);
    const retry = async () => {
      isFailed.value = false;
      await run();
      // Browsers remember a failed import, so the page reloads.
      if (isFailed.value && (await isAnswering())) reloadPage();
    };
    const node = (
      <Surface>
        <Body isFailed={isFailed} retry={() => void retry()} blank={blank} />
      </Surface>
    );
    const layer = () => layers.peek().find((candidate) => candidate.node === node);
    const run = async () => {
      let loaded = loadedPart;
      try {
        // A loaded script is used synchronously, so that the placeholder is not rendered.
        if (!loaded) {
          loaded = await load();
          const placeholder = layer();
          if (placeholder) placeholder.isWithoutTransition = true;
        }
      } catch {
        isFailed.value = true;
        return;
      }
      if (!layer()) return;
      await show(loaded);
      // If the dialog had nothing to show, its placeholder is still open.
      if (layer()) closeLayer(id);
    };
    if (await openLayerSoon(id, node, onClose)) await run();
  };
}

/** Opens a dialog with this title. */
export function lazyDialog<T>(find: () => Promise<T>) {
  const open = lazyLayer(find);
  return (
    id: string,
    title: () => string,
    show: (loadedPart: T) => unknown,
    onClose?: () => void,
  ): Promise<void> => open({ id, Surface: dialogWith(id, title), onClose }, show);
}

const dialogWith =
  (id: string, title: () => string): LazyLayer["Surface"] =>
  ({ children }) => (
    <Dialog id={id} title={title()}>
      {children}
    </Dialog>
  );

interface BodyProps {
  isFailed: Signal<boolean>;
  retry: () => void;
  blank: ComponentChildren;
}

function Body({ isFailed, retry, blank }: BodyProps) {
  if (!isFailed.value) {
    return <div aria-busy="true">{blank ?? <BlankDialogRows />}</div>;
  }
  return (
    <p class="feed-note" role="alert">
      {t("load-failed")} <Button onClick={retry}>{t("try-now")}</Button>
    </p>
  );
}
