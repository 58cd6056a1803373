// Keeps the visible rows in place while others are added, removed or resized.
import { type Anchor, anchorIn, restore } from "./anchor.ts";
import { layers } from "../ui/layer-state.ts";
import { extentOf, offsetOf } from "./measure.ts";

/** The interface of the feed that it uses. */
interface FeedRows {
  rows(): HTMLElement[];
  /** The row of the message, or the one that replaced it. */
  nearest(id: number): HTMLElement | undefined;
  isAtEnd(): boolean;
}

export class ScrollAnchoring {
  /** The scroll position that the feed set itself, which is not a user action. */
  private ownTop: number | undefined;
  private anchor: Anchor | "end" | undefined;
  /** The last known scroll position. */
  private top = 0;
  /**
   * Set while the row cannot stay at its position, because there are too few rows below it. This
   * happens, for example, when a banner closes.
   */
  private isCut = false;

  constructor(
    private readonly scroller: HTMLElement,
    column: HTMLElement,
    private readonly feed: FeedRows,
    signal: AbortSignal,
  ) {
    // Images of unknown size, spoilers and a growing composer move rows; moves the held row back.
    const watch = new ResizeObserver(() => {
      const isNotified = this.followScroll();
      this.restoreAnchor();
      if (!isNotified) this.ownTop = undefined;
    });
    watch.observe(column);
    watch.observe(scroller);
    signal.addEventListener("abort", () => watch.disconnect());
    signal.addEventListener(
      "abort",
      layers.subscribe(() => this.anchor && this.saveAnchor()),
    );
  }

  /**
   * Returns a function that moves the visible row back to its place after a change, or stays at the
   * end.
   */
  capture(): () => void {
    if (!this.wasCut()) this.saveAnchor();
    return () => this.restoreAnchor();
  }

  /** Holds the current position from now on. */
  saveAnchor(): void {
    const { feed, scroller } = this;
    const isFollowing = !document.hidden && feed.isAtEnd();
    this.anchor = isFollowing ? "end" : anchorIn(scroller, feed.rows());
    this.anchorToOpened();
    this.isCut = false;
    ({ top: this.top } = extentOf(scroller));
  }

  /** Keeps the message of an open menu beside it, and a message with an open editor. */
  private anchorToOpened(): void {
    const { activeElement: element } = document;
    const editedElement = element?.matches(".msg :read-write") ? element : null;
    for (const from of [editedElement, ...layers.peek().map((layer) => layer.from)]) {
      const row = from && this.scroller.contains(from) && from.closest<HTMLElement>(".msg");
      if (row) return this.anchorTo(row);
    }
  }

  /** The held position, for use elsewhere. */
  anchorPosition(): { at: Anchor | "end" } | undefined {
    return this.anchor === undefined ? undefined : { at: this.anchor };
  }

  /** Keeps the top edge of the row in place, so that the row grows only downwards. */
  anchorTo(row: HTMLElement): void {
    const id = Number(row.dataset["id"]);
    this.anchor = { id, offset: offsetOf(this.scroller, row) };
  }

  /** Scrolls programmatically. */
  byCode(scroll: () => void): void {
    const { top } = extentOf(this.scroller);
    scroll();
    const { top: after } = extentOf(this.scroller);
    if (after !== top) this.ownTop = after;
    this.top = after;
  }

  /**
   * Whether a scroll event came from the user. Called once per event, since one event may combine a
   * scroll of the user and one of the feed.
   */
  wasByPerson(): boolean {
    const isOwn = this.ownTop === extentOf(this.scroller).top;
    this.ownTop = undefined;
    return !this.wasCut() && !isOwn;
  }

  /** The content became shorter than the scroll position, so the browser scrolled to the end. */
  private wasCut(): boolean {
    const { top, height, content } = extentOf(this.scroller);
    const end = content - height;
    return (this.isCut = top > end - 1 && (this.isCut || this.top > end + 1));
  }

  /**
   * Some browsers, such as Firefox, report a scroll one frame late. Then the held row moves along.
   * Returns whether no scroll is pending.
   */
  private followScroll(): boolean {
    const { anchor, scroller } = this;
    const distance = extentOf(scroller).top - this.top;
    // Differences below a pixel come from rounding.
    if (Math.abs(distance) < 1 || anchor === undefined || this.wasCut()) return true;
    if (anchor !== "end") this.anchor = { ...anchor, offset: anchor.offset - distance };
    else if (distance < 0) this.anchor = anchorIn(scroller, this.feed.rows());
    return false;
  }

  private restoreAnchor(): void {
    const { anchor, scroller } = this;
    if (anchor === undefined) return;
    this.byCode(() => {
      if (anchor === "end") {
        scroller.scrollTop = extentOf(scroller).content;
        return;
      }
      const row = this.feed.nearest(anchor.id);
      restore(scroller, row, anchor);
      this.isCut = row !== undefined && Math.abs(offsetOf(scroller, row) - anchor.offset) >= 1;
    });
  }
}
