// A view that is open: its feed, bound to what is known until it is closed.
import { effect } from "@preact/signals";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { go, remember, remembered } from "../../address.ts";
import type { Standing } from "../../feed/anchor.ts";
import { Feed } from "../../feed/feed.ts";
import { placeOfMessage } from "../../feed/items.ts";
import { type Anchor, fetchAround, fetchMore } from "../../feed/load.ts";
import type { Seen } from "../../feed/measure.ts";
import { isContiguous, isConversation, isInterleaved } from "../../feed/narrow.ts";
import { answeredPlace, markAnswered } from "../../feed/receding.ts";
import { newestSegment, segmentAt } from "../../feed/view.ts";
import { trimViews, viewFor } from "../../feed/views.ts";
import { now, onChange } from "../../live.ts";
import type { Changed } from "../../snapshot.ts";
import { placeOf, topicView } from "../../views.ts";
import { say } from "../../words/words.ts";
import { echoesIn } from "../compose/echo.ts";
import { conversationKey } from "../conversations/state.ts";
import type { Message } from "../messages/state.ts";
import { topicKey } from "../topics/state.ts";
import { current } from "./current.ts";
import { drawing } from "./drawing.ts";
import { leave, standingLeft } from "./left.ts";
import { Reader } from "./reader.ts";

/** After so long without scrolling, where one stands is kept. */
const REST_MS = 250;

/** What the view around it shows. */
export interface Told {
  trouble: { value: string | undefined };
  isEmpty: { value: boolean };
  /** Messages came at the end. */
  arrived(messages: readonly Message[]): void;
}

export class OpenView {
  readonly reader;
  private readonly view;
  private feed: Feed | undefined;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;
  /** The messages are there; until then only what one has written is. */
  private isOpen = false;
  /** The New line stays where it was on opening. */
  private newFrom: number | undefined;
  private newest = Infinity;
  /** The revision at which nothing of the view was known any more, and it was asked for again. */
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
    const unheard = onChange((changed) => this.update(changed));
    this.end = () => {
      unbound();
      unheard();
    };
    current.value = this;
    void this.begin();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.rest);
    this.end();
    this.reader.close();
    if (this.feed) leave(this.view.key, this.left(this.feed));
    this.feed?.close();
    if (current.peek() === this) current.value = undefined;
  }

  /** What is in the page. */
  shownFeed(): Feed | undefined {
    return this.feed;
  }

  /** This message and what is known to follow it. */
  idsFrom(id: number): number[] {
    const segment = segmentAt(this.view, id);
    return segment?.ids.filter((one) => one >= id) ?? [];
  }

  /** Stands elsewhere in the same view, whatever has to be fetched for it. */
  async jump(anchor: Anchor, date?: string): Promise<void> {
    try {
      const found = await fetchAround(
        this.view,
        anchor,
        date === undefined ? {} : { anchor_date: date },
      );
      if (this.isClosed) return;
      const ids = this.view.segments[0]?.ids ?? [];
      const id = anchor === "oldest" ? ids[0] : found;
      this.show(id === undefined ? { at: "end" } : { near: id });
    } catch {
      if (!this.isClosed) this.told.trouble.value = say("load-failed");
    }
  }

  private async begin(): Promise<void> {
    this.told.trouble.value = undefined;
    const kept = (this.isOpen ? this.feed?.standing() : undefined) ?? this.keptStanding();
    this.showEchoes();
    try {
      const standing = await standingFor(this.terms, kept);
      if (this.isClosed) return;
      this.isOpen = true;
      this.show(standing);
    } catch {
      if (!this.isClosed) this.told.trouble.value = say("load-failed");
    }
  }

  /** What one has written here is there before anything could be fetched. */
  private showEchoes(): void {
    if (!this.feed && echoesIn(this.view).length > 0) this.show({ at: "end" });
  }

  private keptStanding(): Standing | undefined {
    const { key, terms } = this.view;
    // An address that names a message leads to it.
    if (this.terms.length > terms.length && !remembered.peek().left) return undefined;
    return standingLeft(key, remembered.peek().left, newestUnread(this.view), Date.now());
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
      more: fetchMore,
      onSight: (seen) => this.seen(seen),
      onScroll: () => this.reader.scrolled(),
    });
    this.feed.open(standing);
    this.told.isEmpty.value = this.feed.rows().length === 0;
    this.newest = newestIn(this.view);
    trimViews(now(), view);
  }

  private seen(seen: readonly Seen[]): void {
    this.reader.see(seen, this.scroller);
    markAnswered(this.column);
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      const isRest = this.feed && this.isOpen && !this.isClosed;
      if (isRest) remember({ left: this.left(this.feed!) });
    }, REST_MS);
  }

  private left(feed: Feed) {
    return { standing: feed.standing(), at: Date.now(), newest: newestIn(this.view) };
  }

  private update(changed: Changed | undefined): void {
    // A state that was replaced knows no ranges: the view is opened where one stands.
    if (!changed) return void this.begin();
    if (!this.feed && changed.has("outgoing")) this.showEchoes();
    if (!this.feed) return;
    // Something unseen was moved here where nothing else is: what is here is asked for.
    if (this.isOpen && this.view.segments.length === 0 && this.view.revision !== this.asked) {
      this.asked = this.view.revision;
      return void this.begin();
    }
    const [before, standing] = [this.feed.shownIds(), this.feed.lastStanding()];
    const isAll = [...ALL_ROWS].some((key) => changed.has(key));
    this.feed.update(changed, (message) => isAll || isStale(message, changed));
    const isEmpty = this.feed.rows().length === 0;
    if (isEmpty && this.followTopic(before, standing)) return;
    this.told.isEmpty.value = isEmpty;
    this.tellArrivals();
  }

  /** A topic that was renamed or moved as a whole is shown under its new name. */
  private followTopic(ids: readonly number[], standing: Standing | undefined): boolean {
    const { me } = now().people;
    const place = placeOf(this.terms, me);
    if (!place || "user_ids" in place) return false;
    const messages = ids.flatMap((id) => now().messages.byId.get(id) ?? []);
    const places = messages.map((message) => placeOfMessage(message, me));
    const keys = new Set(
      places.map((to) => ("topic" in to ? topicKey(to.stream_id, to.topic) : "")),
    );
    const [to] = places;
    if (keys.size !== 1 || !to || "user_ids" in to) return false;
    const view = topicView(to.stream_id, to.topic);
    const key = viewFor(view.terms).key;
    const kept = standing ?? { near: ids.at(-1)! };
    leave(key, { standing: kept, at: Date.now(), newest: Infinity });
    go(view, { replace: true });
    return true;
  }

  private tellArrivals(): void {
    const segment = newestSegment(this.view);
    const fresh =
      segment?.ids.slice(segment.ids.findLastIndex((id) => id <= this.newest) + 1) ?? [];
    this.newest = Math.max(this.newest === Infinity ? 0 : this.newest, newestIn(this.view));
    const { messages, people } = now();
    const others = fresh
      .flatMap((id) => messages.byId.get(id) ?? [])
      .filter(({ sender_id }) => sender_id !== people.me && !people.muted.has(sender_id));
    if (others.length > 0) this.told.arrived(others);
  }
}

/** Changes that any row may show. */
const ALL_ROWS = new Set(["muted-users", "realm_playgrounds", "realm_emoji"]);

function isStale({ id, sender_id }: Message, changed: Changed): boolean {
  return (
    changed.has(`message:${id}`) ||
    changed.has(`user:${sender_id}`) ||
    changed.has(`status:${sender_id}`)
  );
}

type Known = Parameters<typeof newestSegment>[0];

const newestIn = (view: Known): number => view.segments.at(-1)?.ids.at(-1) ?? 0;

/** Fetches what is needed to stand there. */
async function standingFor(
  terms: readonly NarrowTerm[],
  kept: Standing | undefined,
): Promise<Standing> {
  const view = viewFor(terms);
  const near = Number(terms.find(({ operator }) => operator === "near")?.operand);
  const keptId = kept && "at" in kept && kept.at !== "end" ? kept.at.id : undefined;
  if (kept && (keptId === undefined || segmentAt(view, keptId))) {
    if (keptId === undefined && !("near" in kept)) await fetchAround(view, "newest");
    if ("near" in kept) await fetchAround(view, kept.near);
    return kept;
  }
  const anchor: Anchor = keptId ?? (near > 0 ? near : "first_unread");
  const known = firstUnread(view);
  if (anchor === "first_unread" && known !== undefined) return { near: known };
  const isRead = isConversation(terms, now().people.me) && newestUnread(view) === 0;
  if (anchor === "first_unread" && isRead && newestSegment(view)) return { at: "end" };
  const found = await fetchAround(view, anchor);
  if (kept && keptId !== undefined) return kept;
  if (anchor === "first_unread") {
    const first = firstUnread(view);
    if (first !== undefined) return { near: first };
    if (found === undefined || !segmentAt(view, found)) await fetchAround(view, "newest");
    return { at: "end" };
  }
  return found === undefined ? { at: "end" } : { near: found };
}

/** In the ranges that are known. */
function firstUnread({ segments }: Known): number | undefined {
  const { placeOf } = now().unread;
  for (const { ids } of segments) {
    const id = ids.find((one) => placeOf.has(one));
    if (id !== undefined) return id;
  }
  return undefined;
}

function newestUnread({ segments, terms }: Known & { terms: readonly NarrowTerm[] }): number {
  const { places, placeOf: placed } = now().unread;
  const place = placeOf(terms, now().people.me);
  if (place) {
    const key =
      "topic" in place ? topicKey(place.stream_id, place.topic) : conversationKey(place.user_ids);
    return [...(places.get(key)?.ids ?? [])].at(-1) ?? 0;
  }
  return segments.at(-1)?.ids.findLast((id) => placed.has(id)) ?? 0;
}
