// An open view: connects its feed to the state until it is closed.
import { effect } from "@preact/signals";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { updateEntry, remembered } from "../../ui/history-entry.ts";
import { ApiError } from "../../contract/api-error.ts";
import { idOf, type ScrollPosition } from "../../feed/anchor.ts";
import { Feed } from "../../feed/feed.ts";
import { fetchAround, fetchMore } from "../../sync/load-feed.ts";
import type { VisibleRow } from "../../feed/measure.ts";
import { isContiguous, isInterleaved } from "../../store/narrow.ts";
import { replyPlace, dimAnswered } from "../../feed/dim-others.ts";
import { type FetchAnchor, segmentAt } from "../../feed/segments.ts";
import { trimViews, viewFor } from "../../store/feed-views.ts";
import { ROWS_STEP } from "../../feed/window.ts";
import { getState, onChange } from "../../store/store.ts";
import { importOrReload } from "../../scripts.ts";
import { afterClick, isClicking, markShown } from "../../ui/loading/scheduling.ts";
import type { Changed } from "../../contract/snapshot.ts";
import { echoesIn } from "../compose/lazy-echo.ts";
import { current, type ViewStatus } from "./current-state.ts";
import { rowContext, affectedBy } from "./row-context.ts";
import { messageToFocus, lastFocused, savePosition, savedPosition } from "./position-state.ts";
import { readerOf } from "./reader.ts";
import { showCached } from "./show-cached.ts";
import {
  firstUnread,
  followTopic,
  newestIn,
  newestKnown,
  newestUnread,
  newWhileAway,
  messagesOfOthersAfter,
  loadPosition,
  cachedPosition,
  unreadAfter,
} from "./position-actions.ts";

/** The position is stored after this time without scrolling. */
const SCROLL_REST_MS = 250;
/** Delay after a change before the view is cached on disk. */
const CACHE_DELAY_MS = 1500;

const importCache = () => import("./cache-view.ts").catch(() => undefined);
const following = () => importOrReload(() => import("../topics/redirect-actions.ts"));

export class OpenView {
  readonly reader;
  private readonly view;
  private feed: Feed | undefined;
  private restTimer: ReturnType<typeof setTimeout> | undefined;
  private cacheTimer: ReturnType<typeof setTimeout> | undefined;
  private refreshing: Promise<void> | undefined;
  private focused: number | undefined;
  private isClosed = false;
  /** Whether messages are loaded; before that, only the user's unsent messages are displayed. */
  private isOpen = false;
  /** The New line stays at its position from opening the view, or from when the user was away. */
  private newFrom: number | undefined;
  private newest = Infinity;
  /** The revision at which the whole view became outdated and was requested again. */
  private requestedRevision = -1;
  private readonly end: () => void;

  constructor(
    readonly terms: readonly NarrowTerm[],
    private readonly scroller: HTMLElement,
    private readonly column: HTMLElement,
    private readonly status: ViewStatus,
  ) {
    this.view = viewFor(terms);
    this.reader = readerOf(terms);
    const unbound = effect(() => {
      void replyPlace.value;
      dimAnswered(column);
    });
    const unsubscribe = onChange((changed) => this.update(changed));
    const cacheLater = () => this.cacheSoon();
    document.addEventListener("visibilitychange", cacheLater);
    this.end = () => {
      unbound();
      unsubscribe();
      document.removeEventListener("visibilitychange", cacheLater);
    };
    current.value = this;
    const started = this.begin();
    // The URL names a message.
    if (terms.length > this.view.terms.length)
      void following().then((module) => module.redirectToMoved(terms, started));
  }

  close(): void {
    this.cacheSoon();
    this.isClosed = true;
    clearTimeout(this.restTimer);
    this.end();
    this.reader.close();
    if (this.feed) savePosition(this.view.key, this.onLeave(this.feed));
    this.feed?.close();
    if (current.peek() === this) current.value = undefined;
  }

  /** The feed on the page. */
  shownFeed(): Feed | undefined {
    return this.feed;
  }

  /** The message and the known messages after it. */
  idsFrom(id: number): number[] {
    return segmentAt(this.view, id)?.ids.filter((candidate) => candidate >= id) ?? [];
  }

  /** Moves to another position in the same view, and loads what is needed. */
  async jump(anchor: FetchAnchor, date?: string): Promise<void> {
    try {
      const dateParams = date === undefined ? {} : { anchor_date: date };
      const anchorId = await fetchAround(this.view, anchor, dateParams);
      if (this.isClosed) return;
      const id = anchor === "oldest" ? this.view.segments[0]?.ids[0] : anchorId;
      this.show(id === undefined ? { at: "end" } : { near: id });
    } catch {
      if (!this.isClosed) this.status.loadError.value = "failed";
    }
  }

  private async begin(): Promise<void> {
    this.status.loadError.value = undefined;
    const saved = (this.isOpen ? this.feed?.scrollPosition() : undefined) ?? this.savedPosition();
    const recalled = showCached(this.view);
    // Synchronously if possible, so that no frame is painted without messages.
    if (typeof recalled === "boolean" ? recalled : await recalled) this.showCachedMessages(saved);
    if (this.isClosed) return;
    this.showEchoes();
    try {
      if (this.isOpen && this.view.provisional) return await this.join();
      const position = await loadPosition(this.terms, saved);
      if (this.isClosed) return;
      this.isOpen = true;
      this.show(position);
    } catch (error) {
      if (this.isClosed) return;
      // The server rejected the request, because the user has lost access.
      const isRefused = error instanceof ApiError;
      if (isRefused) this.forget();
      else if (!this.isOpen) this.showCachedMessages(undefined);
      this.status.loadError.value = isRefused ? error : "failed";
      markShown();
    }
  }

  /** Shows the cached view until the server answers. */
  private showCachedMessages(saved: ScrollPosition | undefined): void {
    if (this.isClosed) return;
    if (this.isOpen) return this.feed?.update(new Set(), () => false);
    const position = cachedPosition(this.view, this.terms, saved);
    if (!position) return;
    this.isOpen = true;
    // Reserves space for expected messages, so that nothing moves when they arrive.
    this.awaits(unreadAfter(this.view, newestIn(this.view)));
    this.show(position);
  }

  private awaits(count: number): void {
    this.scroller.style.setProperty("--awaited", `${count}`);
  }

  /** Replaces cached messages with the server's, around the current position. */
  private join(): Promise<void> {
    const { feed, view } = this;
    const anchor = (feed && idOf(feed.scrollPosition())) ?? "newest";
    return (this.refreshing ??= fetchAround(view, anchor, { isJoin: true })
      .then(() => undefined)
      .finally(() => (this.refreshing = undefined)));
  }

  private forget(): void {
    if (!this.view.provisional) return;
    this.view.segments = [];
    this.view.provisional = undefined;
    this.feed?.close();
  }

  /** Caches the view for the next visit, with the messages next to the visible ones. */
  private cacheSoon(): void {
    if (this.cacheTimer === undefined) return;
    clearTimeout(this.cacheTimer);
    this.cacheTimer = undefined;
    const ids = this.feed?.shownIds(ROWS_STEP) ?? [];
    void importCache().then((module) => module?.cacheView(this.view, ids));
  }

  /** Shows own unconfirmed messages before anything is fetched. */
  private showEchoes(): void {
    if (!this.feed && echoesIn(this.view).length > 0) this.show({ at: "end" });
  }

  private savedPosition(): ScrollPosition | undefined {
    const ownPosition = remembered.peek().left;
    this.focused ??= messageToFocus(this.terms);
    // A URL that names a message moves to that message.
    if (this.terms.length > this.view.terms.length && !ownPosition) return undefined;
    const saved = savedPosition(this.view.key, ownPosition, newestUnread(this.view), Date.now());
    if (saved) this.focused = lastFocused(this.view.key, ownPosition) ?? this.focused;
    return saved;
  }

  private show(position: ScrollPosition): void {
    const { terms, view } = this;
    const { me } = getState().people;
    this.newFrom ??= firstUnread(view);
    const layout = {
      me,
      isInterleaved: isInterleaved(terms, me),
      isScattered: !isContiguous(terms),
      newFrom: this.newFrom,
    };
    const focused = this.feed?.roving.focusedId ?? this.focused;
    this.feed?.roving.leaveField();
    this.feed?.close();
    this.feed = new Feed(this.scroller, this.column, view, layout, {
      ...rowContext,
      removeControls: this.status.removeControls,
      me,
      markedOf: ({ id, content }) => {
        const marked = view.marked.get(id);
        return marked?.original === content ? marked : undefined;
      },
      echoes: echoesIn,
      more: (feedView, segment, direction) =>
        feedView.provisional ? this.join() : fetchMore(feedView, segment, direction),
      onVisibleRows: (visibleRows) => this.onVisibleRows(visibleRows),
      onScroll: () => this.reader.marker?.onScroll(),
    });
    this.feed.open(position);
    if (focused !== undefined && this.feed.roving.refocus(focused)) this.focused = undefined;
    this.status.isEmpty.value = this.feed.rows().length === 0;
    // Messages that were moved into an empty view are not new.
    this.newest = newestIn(this.view) || getState().messages.newest;
    trimViews(getState(), view);
    markShown();
  }

  private onVisibleRows(visibleRows: readonly VisibleRow[]): void {
    this.reader.recordVisible(visibleRows, this.scroller);
    dimAnswered(this.column);
    this.cacheTimer ??= setTimeout(() => this.cacheSoon(), CACHE_DELAY_MS);
    clearTimeout(this.restTimer);
    this.restTimer = setTimeout(() => {
      if (this.feed && this.isOpen) updateEntry({ left: this.onLeave(this.feed) });
    }, SCROLL_REST_MS);
  }

  private onLeave(feed: Feed) {
    const position = feed.lastScrollPosition() ?? feed.scrollPosition();
    const focused = feed.roving.focusedId ?? this.focused;
    return { standing: position, at: Date.now(), newest: newestKnown(this.view), focused };
  }

  private update(changed: Changed | undefined): void {
    if (this.isClosed) return;
    if (isClicking()) return afterClick(() => this.update(changed));
    // A replaced state knows no ranges, so the view is opened again at the current position.
    if (!changed) return void this.begin();
    if (!this.feed && changed.has("outgoing")) this.showEchoes();
    if (!this.feed) return;
    const { segments, provisional, revision } = this.view;
    const isDoubted = segments.length === 0 || (provisional && !this.refreshing);
    // Unknown messages were moved to another conversation, or into the channel.
    if (this.isOpen && isDoubted && revision !== this.requestedRevision) {
      this.requestedRevision = revision;
      void this.begin();
      if (segments.length === 0) return;
    }
    const { focusedId } = this.feed.roving;
    const [before, position] = [this.feed.shownIds(), this.feed.lastScrollPosition()];
    if (this.refreshing && !this.view.provisional) this.newFrom ??= firstUnread(this.view);
    this.newFrom = newWhileAway(this.view, this.newest) ?? this.newFrom;
    this.feed.layout.newFrom = this.newFrom;
    this.feed.update(changed, affectedBy(changed));
    if (before.length === 0 && this.focused !== undefined) this.feed.roving.refocus(this.focused);
    if (!this.view.provisional) this.awaits(0);
    const isEmpty = this.feed.rows().length === 0;
    if (isEmpty && followTopic(this.terms, before, position, focusedId)) return;
    this.status.isEmpty.value = isEmpty;
    this.announceArrivals();
  }

  private announceArrivals(): void {
    const others = messagesOfOthersAfter(this.view, this.newest);
    this.newest = Math.max(this.newest === Infinity ? 0 : this.newest, newestIn(this.view));
    if (others.length > 0) this.status.announce(others);
  }
}
