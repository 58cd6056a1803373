// The feed of a view: restores the position, loads more while scrolling, and keeps rows in place.
import type { Message } from "../contract/message.ts";
import type { Changed } from "../contract/snapshot.ts";
import { anchorIn, idOf, type ScrollPosition, restoreScroll } from "./anchor.ts";
import type { FeedContext } from "./feed-context.ts";
import { truncateLongRows } from "./truncate.ts";
import { HIDDEN, hiddenMessages } from "./hidden.ts";
import { detachedRun, type Layout, type MessageRun, runsOf } from "./items.ts";
import { extentOf, visibleRowsIn } from "./measure.ts";
import { Painter } from "./paint.ts";
import { RovingTabindex } from "./roving-tabindex.ts";
import { ScrollAnchoring } from "./scroll-anchoring.ts";
import { type FeedView, type Segment, newestSegment, segmentAt } from "./segments.ts";
import { extended, indexFrom, isShort, shiftWindow, type Window, windowAround } from "./window.ts";
import { afterNextFrame, afterPaint } from "../ui/loading/scheduling.ts";

/** Distance from an end, in heights of the scroller, at which more rows are added. */
const AHEAD_HEIGHTS = 1.5;
/** Fewer pixels than this from the end count as the end. */
const END_PIXELS = 24;
const PAGE_SHARE = 0.85;

export class Feed {
  /** Tracks the current row. */
  readonly roving: RovingTabindex;
  private readonly anchoring: ScrollAnchoring;
  private readonly painter: Painter;
  private segment: Segment | undefined;
  private shown: Window = { start: 0, end: 0 };
  /** The ids at the last paint, to which the indexes in `shown` refer. */
  private painted: readonly number[] = [];
  private runs: MessageRun[] = [];
  private revision = -1;
  /** Ids of unconfirmed messages in the page. */
  private echoedIds: readonly number[] = [];
  private readonly openedAt = Date.now();
  private isLoading = { up: false, down: false };
  /** The displayed messages are from the cache, so their neighbors are unknown. */
  private isFromDisk = false;
  private readonly abort = new AbortController();

  constructor(
    private readonly scroller: HTMLElement,
    private readonly column: HTMLElement,
    readonly view: FeedView,
    readonly layout: Layout,
    private readonly context: FeedContext,
  ) {
    this.painter = new Painter(column, context);
    const { signal } = this.abort;
    this.anchoring = new ScrollAnchoring(scroller, column, this, signal);
    this.roving = new RovingTabindex(scroller, column, this, signal);
    if (!context.removeControls) context.addTools(column, signal);
    scroller.addEventListener("scroll", () => this.onScroll(), { passive: true, signal });
  }

  /** Shows the known range that contains the position. */
  open(position: ScrollPosition): void {
    const id = idOf(position);
    this.segment = id === undefined ? newestSegment(this.view) : segmentAt(this.view, id);
    const ids = this.segment?.ids ?? [];
    const index = id === undefined ? ids.length - 1 : indexFrom(ids, id);
    this.render(windowAround(index, ids.length, true));
    this.scrollToPosition(position);
    while (isShort(this.shown, ids.length, extentOf(this.scroller))) {
      this.render(extended(extended(this.shown, "up", ids.length, true), "down", ids.length, true));
      // Scrolls again, because there may be enough rows now.
      this.scrollToPosition(position);
    }
    this.roving.setCurrent("near" in position ? this.rowOf(position.near) : this.first());
    this.updateWindow(0);
    void this.grow();
  }

  /** Adds rows outside of the visible part, some in each frame. */
  private async grow(): Promise<void> {
    await afterNextFrame();
    while (!this.abort.signal.aborted && this.updateWindow(AHEAD_HEIGHTS, true)) await afterPaint();
  }

  close(): void {
    this.abort.abort();
    this.column.replaceChildren();
  }

  /** Keeps the top edge of the row in place, so that the row grows only downwards. */
  anchorTo(row: HTMLElement): void {
    this.anchoring.anchorTo(row);
  }

  /** Updates the page after a change; `isStale` selects the rows to render again. */
  update(changed: Changed, isStale: (message: Message) => boolean): void {
    const isRenamed = [...changed].some((key) => /^(words$|channel:|user:)/.test(key));
    if (isRenamed) this.painter.resetHeads();
    const isNew = this.view.revision !== this.revision || changed.has(HIDDEN) || isRenamed;
    if (isNew || changed.has("outgoing")) {
      // Own new messages are scrolled into view.
      const isFresh = ({ id, sending }: Message) =>
        !this.echoedIds.includes(id) && sending!.made >= this.openedAt;
      const hasWritten = this.context.echoes(this.view).some(isFresh);
      const restorePosition = this.anchoring.capture();
      this.follow(hasWritten ? newestSegment(this.view) : undefined);
      restorePosition();
      if (hasWritten) this.scrollToPosition({ at: "end" });
      // The arrow keys continue at the own message.
      if (hasWritten) this.roving.setCurrent(this.rows().at(-1));
    }
    if (changed.size > 0) {
      const restorePosition = this.anchoring.capture();
      const restoreFocus = this.roving.capture();
      this.painter.patch(this.runs, isStale);
      this.truncateRows();
      restoreFocus();
      restorePosition();
    }
    this.updateWindow();
  }

  /** The current position, to return to. */
  scrollPosition(): ScrollPosition {
    const anchor = this.isAtEnd() ? undefined : anchorIn(this.scroller, this.rows());
    return { at: anchor ?? "end" };
  }

  /** The last position, even if all its messages are gone. */
  lastScrollPosition(): ScrollPosition | undefined {
    return this.anchoring.anchorPosition();
  }

  shownIds(beyond = 0): number[] {
    return this.painted.slice(Math.max(0, this.shown.start - beyond), this.shown.end + beyond);
  }

  isAtEnd(): boolean {
    return !this.isFromDisk && this.isAtFoot();
  }

  rows(): HTMLElement[] {
    const rows = this.runs.flatMap(({ rows }) => rows);
    return rows.flatMap(({ message }) => this.painter.rowOf(message.id) ?? []);
  }

  rowOf(id: number): HTMLElement | undefined {
    return this.painter.rowOf(id);
  }

  /** The previous or next message in the view; undefined at the ends, and where it is unknown. */
  neighbour(id: number, direction: "up" | "down"): number | undefined {
    const ids = this.segment?.ids ?? [];
    const index = indexFrom(ids, id);
    return direction === "up" ? ids[index - 1] : ids[ids[index] === id ? index + 1 : index];
  }

  /** The first row whose start is visible, or at the end the last row. */
  first(): HTMLElement | undefined {
    if (this.isAtFoot()) return this.rows().at(-1);
    const anchor = anchorIn(this.scroller, this.rows());
    return anchor && this.rowOf(anchor.id);
  }

  /** The row of a message, or the one that replaced it. */
  nearest(id: number): HTMLElement | undefined {
    const rows = this.runs.flatMap(({ rows: list }) => list.map(({ message }) => message.id));
    const after = rows.find((row) => row >= id) ?? rows.at(-1);
    return after === undefined ? undefined : this.rowOf(after);
  }

  /** Scrolls up or down by nearly a screen, like the user. */
  page(direction: "up" | "down"): void {
    const { top, height } = extentOf(this.scroller);
    this.scroller.scrollTop = top + (direction === "up" ? -1 : 1) * height * PAGE_SHARE;
    this.updateWindow();
  }

  /** Adds a message of the range to the page, and scrolls it into view. */
  reveal(id: number): HTMLElement | undefined {
    const ids = this.segment?.ids ?? [];
    const index = indexFrom(ids, id);
    if (ids[index] !== id) return undefined;
    if (index < this.shown.start || index >= this.shown.end) {
      this.render(windowAround(index, ids.length));
    }
    const row = this.painter.rowOf(id);
    this.anchoring.byCode(() => row?.scrollIntoView({ block: "nearest" }));
    this.updateWindow();
    return row;
  }

  private isAtFoot(): boolean {
    const { top, height, content } = extentOf(this.scroller);
    return this.isWhole("down") && content - top - height < END_PIXELS;
  }

  private render(rowWindow: Window): void {
    this.shown = rowWindow;
    const ids = this.segment?.ids ?? [];
    const messagesOf = (list: readonly number[]) =>
      list.flatMap((id) => (hiddenMessages.has(id) ? [] : (this.context.messageOf(id) ?? [])));
    const messages = messagesOf(ids.slice(this.shown.start, this.shown.end));
    const echoes = this.echoes();
    this.runs = runsOf([...messages, ...echoes], this.layout);
    this.keepFocused(ids);
    this.painted = [...ids];
    this.echoedIds = echoes.map(({ id }) => id);
    this.revision = this.view.revision;
    this.isFromDisk = this.view.provisional === "disk";
    const restoreFocus = this.roving.capture();
    this.painter.paint(this.runs);
    this.truncateRows();
    restoreFocus();
  }

  /** The focused row stays in the page, however far the user scrolls away. */
  private keepFocused(ids: readonly number[]): void {
    const message = this.context.messageOf(this.roving.focusedId ?? 0);
    if (!message) return;
    const index = indexFrom(ids, message.id);
    const isShown = index >= this.shown.start && index < this.shown.end;
    if (ids[index] !== message.id || isShown) return;
    const run = detachedRun(message, this.layout);
    this.runs = index < this.shown.start ? [run, ...this.runs] : [...this.runs, run];
  }

  private truncateRows(): void {
    const lengthOf = (id: number) => this.context.messageOf(id)?.content.length ?? 0;
    truncateLongRows(this.rows(), extentOf(this.scroller).height, lengthOf);
  }

  /** Unconfirmed messages are shown below the newest message, if that is in the page. */
  private echoes(): readonly Message[] {
    const length = this.segment?.ids.length ?? 0;
    if (this.segment && (this.segment.to !== Infinity || this.shown.end < length)) return [];
    return this.context.echoes(this.view);
  }

  /** Finds the current range again, since it may have been joined with another or lost messages. */
  private follow(end?: Segment): void {
    const middle = this.painted[Math.floor((this.shown.start + this.shown.end) / 2)];
    const segment = middle === undefined ? undefined : segmentAt(this.view, middle);
    this.segment = end ?? segment ?? newestSegment(this.view) ?? this.view.segments[0];
    const isInPage = this.shown.end >= this.painted.length;
    const ids = this.segment?.ids ?? [];
    const rowWindow = shiftWindow(this.painted, this.shown, ids, isInPage, this.isAtFoot());
    this.render(end && !isInPage ? windowAround(ids.length, ids.length) : rowWindow);
  }

  private scrollToPosition(position: ScrollPosition): void {
    this.anchoring.byCode(() => restoreScroll(this.scroller, position, (id) => this.nearest(id)));
  }

  private onScroll(): void {
    if (!this.anchoring.wasByPerson()) return;
    this.context.onScroll();
    this.updateWindow();
  }

  /** After any change: adds rows near an end, and notifies listeners. */
  private updateWindow(heights = AHEAD_HEIGHTS, isFirst = false): boolean {
    const { top, height, content } = extentOf(this.scroller);
    const { shown } = this;
    if (top <= height * heights) this.extend("up", isFirst);
    if (content - top - height <= height * heights) this.extend("down", isFirst);
    this.anchoring.saveAnchor();
    this.context.onVisibleRows(visibleRowsIn(this.scroller, this.rows()));
    return shown !== this.shown;
  }

  private extend(direction: "up" | "down", isFirst: boolean): void {
    const { length = 0 } = this.segment?.ids ?? [];
    const isEdge = direction === "up" ? this.shown.start === 0 : this.shown.end >= length;
    if (!isEdge) {
      const restorePosition = this.anchoring.capture();
      this.render(extended(this.shown, direction, length, isFirst));
      restorePosition();
    } else if (!this.isWhole(direction)) void this.load(direction);
  }

  private isWhole(direction: "up" | "down"): boolean {
    if (direction === "up") return this.segment?.from === 0;
    return this.segment?.to === Infinity && this.shown.end >= this.painted.length;
  }

  /** Limits requests to one at a time in each direction. */
  private async load(direction: "up" | "down"): Promise<void> {
    if (this.isLoading[direction] || !this.segment) return;
    this.isLoading[direction] = true;
    this.column.setAttribute("aria-busy", "true");
    try {
      await this.context.more(this.view, this.segment, direction);
    } catch {
      // The network is down; scrolling or reconnecting tries again.
      return;
    } finally {
      this.isLoading[direction] = false;
      this.column.removeAttribute("aria-busy");
    }
    if (!this.abort.signal.aborted) this.update(new Set(), () => false);
  }
}
