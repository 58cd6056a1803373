// Dialogs with a URL, which open above the current view; closing them shows it again.
import { closeLayer } from "../ui/layers.ts";
import { lazyDialog } from "../ui/loading/lazy-layer.tsx";
import type { Page } from "../views.ts";
import { goToViewBelow, view } from "./address.ts";

interface DialogPage<T> {
  readonly page: Page;
  /** Id of the layer. */
  readonly id: string;
  title(): string;
  /** Loads the script of the dialog. */
  load(): Promise<T>;
  /** Called when the URL is opened; returns what shows the dialog once its script has loaded. */
  open(path: readonly string[], leave: () => void): (content: T) => unknown;
  /** If absent, everyone can open the dialog. */
  isAllowed?(): boolean;
}

export function registerDialogPage<T>(dialogPage: DialogPage<T>): void {
  const { page, id } = dialogPage;
  const dialog = lazyDialog(() => dialogPage.load());
  const leave = () => {
    const currentView = view.peek();
    if (currentView.kind === "page" && currentView.page === page) goToViewBelow();
  };
  view.subscribe((currentView) => {
    if (currentView.kind !== "page" || currentView.page !== page) return closeLayer(id);
    if (dialogPage.isAllowed?.() === false) return undefined;
    const show = dialogPage.open(currentView.path, leave);
    return void dialog(id, () => dialogPage.title(), show, leave);
  });
}
