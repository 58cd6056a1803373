// Which row one is at: exactly one can be reached by Tab, and being at it is having the focus.

/** The interface of the feed that it uses. */
export interface Rows {
  rowOf(id: number): HTMLElement | undefined;
  /** The row that stands nearest to a message that is gone. */
  nearest(id: number): HTMLElement | undefined;
  /** The row that Tab reaches first. */
  first(): HTMLElement | undefined;
}

const FOCUSABLE = "a[href], button, input, select, textarea, summary, audio, video, [tabindex]";

export class Roving {
  private at: number | undefined;
  private readonly before = edge();
  private readonly after = edge();
  /** Tab was pressed last: the focus comes from outside, to where one was. */
  private isByTab = false;

  constructor(
    private readonly scroller: HTMLElement,
    private readonly column: HTMLElement,
    private readonly rows: Rows,
    signal: AbortSignal,
  ) {
    column.before(this.before);
    column.after(this.after);
    signal.addEventListener("abort", () => {
      this.before.remove();
      this.after.remove();
    });
    const options = { signal };
    const pressed = (event: KeyboardEvent) => (this.isByTab = event.key === "Tab");
    document.addEventListener("keydown", pressed, { ...options, capture: true });
    column.addEventListener("keydown", (event) => this.tabbed(event), options);
    column.addEventListener("focusin", (event) => this.focused(event), options);
  }

  /** The message whose row is the one, focused or not. */
  get id(): number | undefined {
    return this.at;
  }

  /** The message whose row has the focus, or something in it. */
  get focusedId(): number | undefined {
    const row = this.focusedRow();
    return row && Number(row.dataset["id"]);
  }

  focus(row: HTMLElement): void {
    this.mark(row);
    row.focus({ preventScroll: true });
  }

  /** Changes the page; the focus stays at the same thing, or where it was. */
  keep(change: () => void): void {
    const active = document.activeElement as HTMLElement | null;
    const id = this.focusedId;
    const thing = active && thingOf(active);
    const at = this.thingsIn(this.focusedRow()).indexOf(active!);
    change();
    if (id !== undefined && document.activeElement !== active) {
      if (active?.isConnected) active.focus({ preventScroll: true });
      else {
        const row = this.rows.rowOf(id);
        // Elements without an action, such as links, are found by position.
        const again = thing ? row?.querySelector<HTMLElement>(thing) : this.thingsIn(row)[at];
        (again ?? row ?? this.rows.nearest(id))?.focus({ preventScroll: true });
      }
    }
    this.renew();
  }

  /** After rows came or went: one of them is the one. */
  renew(): void {
    const known = this.at === undefined ? undefined : this.rows.rowOf(this.at);
    const row = known ?? (this.at === undefined ? this.rows.first() : this.rows.nearest(this.at));
    if (row) this.mark(row);
  }

  /** Moves the position without moving the focus. */
  stand(row: HTMLElement | undefined): void {
    if (row && this.focusedId === undefined) this.mark(row);
  }

  /** Restores the position, and the focus if nothing else has it. */
  again(id: number): boolean {
    const row = this.rows.rowOf(id);
    if (row && document.activeElement === document.body) this.focus(row);
    else this.stand(row);
    return row !== undefined;
  }

  private mark(row: HTMLElement): void {
    const before = this.at === undefined ? undefined : this.rows.rowOf(this.at);
    if (before && before !== row) before.tabIndex = -1;
    if (row.tabIndex !== 0) row.tabIndex = 0;
    this.at = Number(row.dataset["id"]);
  }

  private thingsIn(row: HTMLElement | undefined): HTMLElement[] {
    return [...(row?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])];
  }

  private focusedRow(): HTMLElement | undefined {
    const { activeElement } = document;
    if (!activeElement || !this.column.contains(activeElement)) return undefined;
    return activeElement.closest<HTMLElement>(".msg") ?? undefined;
  }

  private focused({ target, relatedTarget }: FocusEvent): void {
    const row = (target as HTMLElement).closest<HTMLElement>(".msg");
    const isFromOutside =
      !(relatedTarget instanceof Node) ||
      !this.scroller.contains(relatedTarget) ||
      relatedTarget === this.scroller;
    const wanted = this.at === undefined ? undefined : this.rows.rowOf(this.at);
    const isPassing = this.isByTab && isFromOutside && wanted && row !== wanted;
    this.isByTab = false;
    if (isPassing) wanted.focus({ preventScroll: true });
    else if (row) this.mark(row);
  }

  /** From the last thing of a row Tab leads out of the feed, and back from the row itself. */
  private tabbed(event: KeyboardEvent): void {
    const row = this.focusedRow();
    if (event.key !== "Tab" || !row) return;
    const inside = this.thingsIn(row).filter(isReachable);
    const { activeElement } = document;
    if (event.shiftKey && activeElement === row) this.before.focus({ preventScroll: true });
    else if (!event.shiftKey && activeElement === (inside.at(-1) ?? row)) {
      this.after.focus({ preventScroll: true });
    }
  }
}

/** A place that Tab goes on from. */
function edge(): HTMLElement {
  const node = document.createElement("span");
  node.tabIndex = -1;
  node.className = "vh";
  return node;
}

const isReachable = (node: HTMLElement) => node.tabIndex >= 0 && node.checkVisibility();

/** Selector by which an element of a row is found after the row was rendered again. */
export function thingOf(node: HTMLElement): string | undefined {
  const { act, on } = node.dataset;
  if (act === undefined) return undefined;
  const exactly = on === undefined ? "" : `[data-on="${CSS.escape(on)}"]`;
  return `[data-act="${CSS.escape(act)}"]${exactly}`;
}
