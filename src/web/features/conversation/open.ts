// A view that is open: its feed, bound to what is known until it is closed.
import { effect } from "@preact/signals";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { remember, remembered } from "../../address.ts";
import { Refused } from "../../api/http.ts";
import { idOf, type Standing } from "../../feed/anchor.ts";
import { Feed } from "../../feed/feed.ts";
import { type Anchor, fetchAround, fetchMore } from "../../feed/load.ts";
import type { Seen } from "../../feed/measure.ts";
import { isContiguous, isInterleaved } from "../../feed/narrow.ts";
import { answeredPlace, markAnswered } from "../../feed/receding.ts";
import { segmentAt } from "../../feed/view.ts";
import { trimViews, viewFor } from "../../feed/views.ts";
import { ROWS_STEP } from "../../feed/window.ts";
import { now, onChange } from "../../live.ts";
import { untilThere } from "../../scripts.ts";
import { afterClick, markShown } from "../../shown.ts";
import type { Changed } from "../../snapshot.ts";
import { echoesIn } from "../compose/echoing.ts";
import type { Message } from "../messages/state.ts";
import { current } from "./current.ts";
import { drawing, staleBy } from "./drawing.ts";
import { focusCarried, focusLeft, leave, standingLeft } from "./left.ts";
import { Reader } from "./reader.ts";
import { recall } from "./recall.ts";
import {
  firstUnread,
  followTopic,
  newestIn,
  newestKnown,
  newestUnread,
  newWhileAway,
  othersAfter,
  standingFor,
  standingIn,
  unreadAfter,
} from "./standing.ts";

/** After so long without scrolling, where one stands is kept. */
const REST_MS = 250;
/** Delay after a change before the view is cached on disk. */
const KEEP_MS = 1500;

const keeper = () => import("./keeper.ts").catch(() => undefined);
const following = () => untilThere(() => import("../topics/follow.ts"));

/** What the surrounding view displays. */
export interface Told {
  trouble: { value: "refused" | "failed" | undefined };
  isEmpty: { value: boolean };
  /** Messages came at the end. */
  arrived(messages: readonly Message[]): void;
}

export class OpenView {
  readonly reader;
  private readonly view;
  private feed: Feed | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private keeping: ReturnType<typeof setTimeout> | undefined;
  private joining: Promise<void> | undefined;
  private focused: number | undefined;
  private isClosed = false;
  /** The messages are there; before, only what one has written is. */
  private isOpen = false;
  /** The New line stays where it was on opening, or where one was away from what was read. */
  private newFrom: number | undefined;
  private newest = Infinity;
  /** The revision at which nothing of the view was certain any more, and it was asked for again. */
  private asked = -1;
  private readonly end: () => void;

  constructor(
    readonly terms: readonly NarrowTerm[],
    private readonly scroller: HTMLElement,
    private readonly column: HTMLElement,
    private readonly told: Told,
  ) {
    this.view = viewFor(terms);
    this.reader = new Reader(terms);
    const unbound = effect(() => {
      void answeredPlace.value;
      markAnswered(column);
    });
    const unheard = onChange((changed) => afterClick(() => this.update(changed)));
    const keep = () => this.keep();
    document.addEventListener("visibilitychange", keep);
    this.end = () => {
      unbound();
      unheard();
      document.removeEventListener("visibilitychange", keep);
    };
    current.value = this;
    const begun = this.begin();
    // The address names a message.
    if (terms.length > this.view.terms.length)
      void following().then((it) => it.follow(terms, begun));
  }

  close(): void {
    this.keep();
    this.isClosed = true;
    clearTimeout(this.rest);
    this.end();
    this.reader.close();
    if (this.feed) leave(this.view.key, this.left(this.feed));
    this.feed?.close();
    if (current.peek() === this) current.value = undefined;
  }

  /** The feed that is in the page. */
  shownFeed(): Feed | undefined {
    return this.feed;
  }

  /** This message and what is known to follow it. */
  idsFrom(id: number): number[] {
    return segmentAt(this.view, id)?.ids.filter((one) => one >= id) ?? [];
  }

  /** Stands elsewhere in the same view, whatever has to be fetched for it. */
  async jump(anchor: Anchor, date?: string): Promise<void> {
    try {
      const by = date === undefined ? {} : { anchor_date: date };
      const found = await fetchAround(this.view, anchor, by);
      if (this.isClosed) return;
      const id = anchor === "oldest" ? this.view.segments[0]?.ids[0] : found;
      this.show(id === undefined ? { at: "end" } : { near: id });
    } catch {
      if (!this.isClosed) this.told.trouble.value = "failed";
    }
  }

  private async begin(): Promise<void> {
    this.told.trouble.value = undefined;
    const kept = (this.isOpen ? this.feed?.standing() : undefined) ?? this.keptStanding();
    const recalled = recall(this.view);
    // At once, if it can be, so that nothing is painted without it.
    if (typeof recalled === "boolean" ? recalled : await recalled) this.showKept(kept);
    if (this.isClosed) return;
    this.showEchoes();
    try {
      if (this.isOpen && this.view.provisional) return await this.join();
      const standing = await standingFor(this.terms, kept);
      if (this.isClosed) return;
      this.isOpen = true;
      this.show(standing);
    } catch (error) {
      if (this.isClosed) return;
      // The user has lost access.
      const isRefused = error instanceof Refused;
      if (isRefused) this.forget();
      else if (!this.isOpen) this.showKept(undefined);
      this.told.trouble.value = isRefused ? "refused" : "failed";
      markShown();
    }
  }

  /** Shows the cached view until the server answers. */
  private showKept(kept: Standing | undefined): void {
    if (this.isClosed) return;
    if (this.isOpen) return this.feed!.update(new Set(), () => false);
    const standing = standingIn(this.view, this.terms, kept);
    if (!standing) return;
    this.isOpen = true;
    // Room for what is known to follow, so that it comes where one looks and nothing moves.
    this.awaits(unreadAfter(this.view, newestIn(this.view)));
    this.show(standing);
  }

  private awaits(count: number): void {
    this.scroller.style.setProperty("--awaited", `${count}`);
  }

  /** Replaces cached messages with the server's, around the current position. */
  private join(): Promise<void> {
    const { feed, view } = this;
    const anchor = (feed && idOf(feed.standing())) ?? "newest";
    return (this.joining ??= fetchAround(view, anchor, { isJoin: true })
      .then(() => undefined)
      .finally(() => (this.joining = undefined)));
  }

  private forget(): void {
    if (!this.view.provisional) return;
    this.view.segments = [];
    this.view.provisional = undefined;
    this.feed?.close();
  }

  /** For the next time, also when there is no network; with what one would scroll to next. */
  private keep(): void {
    if (this.keeping === undefined) return;
    clearTimeout(this.keeping);
    this.keeping = undefined;
    const ids = this.feed?.shownIds(ROWS_STEP) ?? [];
    void keeper().then((it) => it?.keepView(this.view, ids));
  }

  /** Shows own unconfirmed messages before anything is fetched. */
  private showEchoes(): void {
    if (!this.feed && echoesIn(this.view).length > 0) this.show({ at: "end" });
  }

  private keptStanding(): Standing | undefined {
    const own = remembered.peek().left;
    this.focused ??= focusCarried(this.terms);
    // An address that names a message leads to it.
    if (this.terms.length > this.view.terms.length && !own) return undefined;
    const kept = standingLeft(this.view.key, own, newestUnread(this.view), Date.now());
    if (kept) this.focused = focusLeft(this.view.key, own) ?? this.focused;
    return kept;
  }

  private show(standing: Standing): void {
    const { terms, view } = this;
    const { me } = now().people;
    this.newFrom ??= firstUnread(view);
    const layout = {
      me,
      isInterleaved: isInterleaved(terms, me),
      isScattered: !isContiguous(terms),
      newFrom: this.newFrom,
    };
    const focused = this.feed?.roving.focusedId ?? this.focused;
    this.feed?.close();
    this.feed = new Feed(this.scroller, this.column, view, layout, {
      ...drawing,
      me,
      markedOf: ({ id, content }) => {
        const marked = view.marked.get(id);
        return marked?.of === content ? marked : undefined;
      },
      messageOf: (id) => now().messages.byId.get(id),
      echoes: echoesIn,
      more: (of, segment, way) => (of.provisional ? this.join() : fetchMore(of, segment, way)),
      onSight: (seen) => this.seen(seen),
      onScroll: () => this.reader.marker?.scrolled(),
    });
    this.feed.open(standing);
    if (focused !== undefined && this.feed.roving.again(focused)) this.focused = undefined;
    this.told.isEmpty.value = this.feed.rows().length === 0;
    // Messages that were moved into an empty view are not new.
    this.newest = newestIn(this.view) || now().messages.newest;
    trimViews(now(), view);
    markShown();
  }

  private seen(seen: readonly Seen[]): void {
    this.reader.see(seen, this.scroller);
    markAnswered(this.column);
    this.keeping ??= setTimeout(() => this.keep(), KEEP_MS);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      if (this.feed && this.isOpen) remember({ left: this.left(this.feed) });
    }, REST_MS);
  }

  private left(feed: Feed) {
    const standing = feed.lastStanding() ?? feed.standing();
    const focused = feed.roving.focusedId ?? this.focused;
    return { standing, at: Date.now(), newest: newestKnown(this.view), focused };
  }

  private update(changed: Changed | undefined): void {
    if (this.isClosed) return;
    // A state that was replaced knows no ranges: the view is opened where one stands.
    if (!changed) return void this.begin();
    if (!this.feed && changed.has("outgoing")) this.showEchoes();
    if (!this.feed) return;
    const { segments, provisional, revision } = this.view;
    const isDoubted = segments.length === 0 || (provisional && !this.joining);
    // Something unseen was moved where nothing else is, or one came into the channel.
    if (this.isOpen && isDoubted && revision !== this.asked) {
      this.asked = revision;
      void this.begin();
      if (segments.length === 0) return;
    }
    const { focusedId } = this.feed.roving;
    const [before, standing] = [this.feed.shownIds(), this.feed.lastStanding()];
    if (this.joining && !this.view.provisional) this.newFrom ??= firstUnread(this.view);
    this.newFrom = newWhileAway(this.view, this.newest) ?? this.newFrom;
    this.feed.layout.newFrom = this.newFrom;
    this.feed.update(changed, staleBy(changed));
    if (before.length === 0 && this.focused !== undefined) this.feed.roving.again(this.focused);
    if (!this.view.provisional) this.awaits(0);
    const isEmpty = this.feed.rows().length === 0;
    if (isEmpty && followTopic(this.terms, before, standing, focusedId)) return;
    this.told.isEmpty.value = isEmpty;
    this.tellArrivals();
  }

  private tellArrivals(): void {
    const others = othersAfter(this.view, this.newest);
    this.newest = Math.max(this.newest === Infinity ? 0 : this.newest, newestIn(this.view));
    if (others.length > 0) this.told.arrived(others);
  }
}
