// Tracks the current row, which is the only one that Tab reaches.
import { closestTo } from "../content/elements.ts";
import { isWritingIn } from "../ui/keys/commands.ts";

/** The interface of the feed that it uses. */
interface RovingRows {
  rowOf(id: number): HTMLElement | undefined;
  /** The row nearest to a deleted message. */
  nearest(id: number): HTMLElement | undefined;
  /** The row that Tab reaches first. */
  first(): HTMLElement | undefined;
}

/** The text field that had the focus when its row left the page. */
let lostField: HTMLElement | undefined;

/** Gets the focus when a text field leaves the page, so that typed keys run no shortcuts. */
let resting: HTMLElement | undefined;

const FOCUSABLE = "a[href], button, input, select, textarea, summary, audio, video, [tabindex]";

export class RovingTabindex {
  private currentId: number | undefined;
  private readonly before = edge();
  private readonly after = edge();
  /** Whether Tab was pressed last: the focus enters the feed, at the row that had it before. */
  private isByTab = false;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly column: HTMLElement,
    private readonly rows: RovingRows,
    signal: AbortSignal,
  ) {
    column.before(this.before);
    column.after(this.after);
    signal.addEventListener("abort", () => {
      this.before.remove();
      this.after.remove();
    });
    const options = { signal };
    const recordKey = (event: KeyboardEvent) => (this.isByTab = event.key === "Tab");
    document.addEventListener("keydown", recordKey, { ...options, capture: true });
    column.addEventListener("keydown", (event) => this.tabbed(event), options);
    column.addEventListener("focusin", (event) => this.onFocusIn(event), options);
  }

  /** The message of the row that Tab reaches, focused or not. */
  get id(): number | undefined {
    return this.currentId;
  }

  /** The message whose row contains the focus. */
  get focusedId(): number | undefined {
    const row = this.focusedRow();
    return row && Number(row.dataset["id"]);
  }

  focus(row: HTMLElement): void {
    this.mark(row);
    row.focus({ preventScroll: true });
  }

  /** Returns a function that restores the focus to the same element after a change of the page. */
  capture(): () => void {
    const active = document.activeElement as HTMLElement | null;
    const id = this.focusedId;
    const selector = active && actionSelectorOf(active);
    const index = this.focusablesIn(this.focusedRow()).findIndex((element) => element === active);
    return () => {
      if (id !== undefined && document.activeElement !== active) {
        if (active?.isConnected) active.focus({ preventScroll: true });
        else if (active && isWritingIn(active)) this.rest(active);
        else {
          const row = this.rows.rowOf(id);
          // Elements without an action, such as links, are found by position.
          const restoreFocus = selector
            ? row?.querySelector<HTMLElement>(selector)
            : this.focusablesIn(row)[index];
          (restoreFocus ?? row ?? this.rows.nearest(id))?.focus({ preventScroll: true });
        }
      }
      this.renew();
    };
  }

  /** Takes the focus out of a text field in a row that is about to leave the page. */
  leaveField(): void {
    const active = document.activeElement as HTMLElement | null;
    if (active && this.focusedId !== undefined && isWritingIn(active)) this.rest(active);
  }

  private rest(field: HTMLElement): void {
    lostField = field;
    resting ??= restingPlace();
    if (!resting.isConnected) this.scroller.before(resting);
    resting.focus({ preventScroll: true });
  }

  /** Selects the row that Tab reaches, after rows were added or removed. */
  renew(): void {
    const currentRow = this.currentId === undefined ? undefined : this.rows.rowOf(this.currentId);
    const row =
      currentRow ??
      (this.currentId === undefined ? this.rows.first() : this.rows.nearest(this.currentId));
    if (row) this.mark(row);
  }

  /** Moves the position without moving the focus. */
  setCurrent(row: HTMLElement | undefined): void {
    if (row && this.focusedId === undefined) this.mark(row);
  }

  /** Restores the position, and the focus if nothing else has it. */
  refocus(id: number): boolean {
    const row = this.rows.rowOf(id);
    if (row && document.activeElement === resting) this.refocusField(row);
    else if (row && document.activeElement === document.body) this.focus(row);
    else this.setCurrent(row);
    return row !== undefined;
  }

  /** The field and its selection outlive its former row. */
  private refocusField(row: HTMLElement): void {
    this.mark(row);
    if (lostField && row.contains(lostField)) lostField.focus({ preventScroll: true });
  }

  private mark(row: HTMLElement): void {
    const before = this.currentId === undefined ? undefined : this.rows.rowOf(this.currentId);
    if (before && before !== row) before.tabIndex = -1;
    if (row.tabIndex !== 0) row.tabIndex = 0;
    this.currentId = Number(row.dataset["id"]);
  }

  private focusablesIn(row: HTMLElement | undefined): HTMLElement[] {
    return [...(row?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  }

  private focusedRow(): HTMLElement | undefined {
    const { activeElement } = document;
    if (!activeElement || !this.column.contains(activeElement)) return undefined;
    return activeElement.closest<HTMLElement>(".msg") ?? undefined;
  }

  private onFocusIn({ target, relatedTarget }: FocusEvent): void {
    const row = closestTo(target, ".msg");
    const isFromOutside =
      !(relatedTarget instanceof Node) ||
      !this.scroller.contains(relatedTarget) ||
      relatedTarget === this.scroller;
    const currentRow = this.currentId === undefined ? undefined : this.rows.rowOf(this.currentId);
    const isPassing = this.isByTab && isFromOutside && currentRow && row !== currentRow;
    this.isByTab = false;
    if (isPassing) currentRow.focus({ preventScroll: true });
    else if (row) this.mark(row);
  }

  /**
   * Tab on the last element of a row leaves the feed; Shift+Tab on the row itself leaves it too.
   */
  private tabbed(event: KeyboardEvent): void {
    const row = this.focusedRow();
    if (event.key !== "Tab" || !row) return;
    const inside = this.focusablesIn(row).filter(isReachable);
    const { activeElement } = document;
    if (event.shiftKey && activeElement === row) this.before.focus({ preventScroll: true });
    else if (!event.shiftKey && activeElement === (inside.at(-1) ?? row)) {
      this.after.focus({ preventScroll: true });
    }
  }
}

/** An invisible element from which Tab continues. */
function edge(): HTMLElement {
  const node = document.createElement("span");
  node.tabIndex = -1;
  node.className = "vh";
  return node;
}

function restingPlace(): HTMLElement {
  const node = edge();
  node.dataset["rest"] = "";
  node.addEventListener("keydown", ({ key }) => key === "Escape" && node.blur());
  return node;
}

const isReachable = (node: HTMLElement) => node.tabIndex >= 0 && node.checkVisibility();

/** Selector by which an element of a row is found after the row was rendered again. */
export function actionSelectorOf(node: HTMLElement): string | undefined {
  const { act, on } = node.dataset;
  if (act === undefined) return undefined;
  const exactly = on === undefined ? "" : `[data-on="${CSS.escape(on)}"]`;
  return `[data-act="${CSS.escape(act)}"]${exactly}`;
}
