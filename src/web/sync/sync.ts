// Keeps a tab's state true: from the disk at once, then by what the leading tab hears.
import { type Signal, signal } from "@preact/signals";
import { Asker, type Asked, type World, world } from "../api/ask.ts";
import type { Able } from "../api/call.ts";
import { isAnothers, isForVisitors, isSignedOut } from "../api/http.ts";
import { csrfToken, knownUser, rememberUser, sessionName } from "../api/session.ts";
import { apply, isStarted, now, start } from "../live.ts";
import type { Event, Snapshot } from "../snapshot.ts";
import { dehydrate } from "../state.ts";
import { noteHeard } from "../api/as-of.ts";
import { Cache } from "./cache.ts";
import { hasEnded, type Unsent } from "./ending/ended.ts";
import type { Place } from "./layout.ts";
import { type Leader, Leading } from "./leading.ts";
import { Leaving } from "./ending/leaving.ts";
import { type Left, type News, type NewsChannel, openNews } from "./news.ts";
import { Recall } from "./recall.ts";

/** The state of the connection, and since when in milliseconds. */
export interface Standing {
  readonly kind: "starting" | "live" | "unreached" | Left;
  readonly since: number;
}

const COMPACT_EVENTS = 200;
const COMPACT_IDLE_MS = 30_000;

export class Sync implements Able {
  readonly standing: Signal<Standing>;
  /** This tab polls for all. */
  readonly isLeading = signal(false);
  user_id: number | undefined = knownUser();
  place: Place | undefined;
  readonly session = sessionName();
  /** The views that are on the disk. */
  readonly recall: Recall;
  private readonly news: NewsChannel;
  private readonly asker: Asker;
  private readonly listeners = new Set<(events: readonly Event[]) => void>();
  readonly leaving = new Leaving();
  private readonly leaders = new Set<(what: "kick" | "joined") => void>();
  /** Called when another tab has undone an action. */
  takenBack: (key: string) => void = () => undefined;
  /** When the server last said something, in milliseconds. */
  heard: number;
  private cache: Promise<Cache | undefined> | undefined;
  private line: Promise<void> = Promise.resolve();
  private reduced = 0;
  private cancelCompaction: (() => void) | undefined;

  constructor(private readonly in_world: World = world) {
    this.standing = signal({ kind: "starting", since: in_world.now() });
    this.heard = in_world.now();
    this.news = openNews(this.session, (news) => this.hear(news));
    this.recall = new Recall(
      () => this.place,
      async () => (await this.cache)?.windows,
    );
    const asking = { user_id: () => this.user_id, csrf: csrfToken };
    this.asker = new Asker(asking, in_world);
  }

  /**
   * Shows what the disk has, with the views of these keys. Resolves when that is read, and says
   * whether there was anything.
   */
  async fromDisk(shown: readonly string[] = []): Promise<boolean> {
    if (hasEnded()) void this.inLine(() => this.purgeEnded());
    // The disk is opened while the rest of the client is set up.
    else if (this.user_id !== undefined) void this.cacheOf(this.user_id);
    await this.inLine(() => this.load(shown));
    this.news.tell({ kind: isStarted.value ? "joined" : "wanted" });
    return isStarted.value;
  }

  /** The work of a leading tab. */
  leading(): Leading {
    return new Leading(this.asLeader());
  }

  asLeader(): Leader {
    return {
      asking: this.asker.asking,
      cacheOf: (user_id) => this.cacheOf(user_id),
      place: async () => {
        await this.inLine(() => this.load());
        return this.place;
      },
      tell: (news) => {
        // The others read the state from the disk, where there is one.
        if (news.kind === "state") void this.tellBegun(news);
        else this.news.tell(news);
        this.hear(news);
      },
      lostDisk: () => {
        this.cache = Promise.resolve(undefined);
      },
    };
  }

  async ask<T>(asked: Asked): Promise<T> {
    try {
      return await this.asker.ask<T>(asked);
    } catch (error) {
      this.noticed(error);
      throw error;
    }
  }

  /** The network is back: what waits for it goes now. */
  hurry(isAnotherNetwork = false): void {
    this.asker.hurry(isAnotherNetwork);
  }

  /** A session that ended, or became another's, ends what all of its tabs do. */
  noticed(error: unknown): void {
    if (isSignedOut(error)) void this.leave("signed-out");
    else if (isAnothers(error)) void this.leave("another");
  }

  /** Without an account, the error depends on whether there is web-public content. */
  giveUp(error: unknown): void {
    if (this.user_id !== undefined) throw error;
    void this.leave(isForVisitors(error) ? "visiting" : "signed-out");
  }

  /** Requests of other tabs to the leader. */
  onAsked(hear: (what: "kick" | "joined") => void): () => void {
    this.leaders.add(hear);
    return () => this.leaders.delete(hear);
  }

  /** Hears all events after they are part of the state. */
  listen(hear: (events: readonly Event[]) => void): () => void {
    this.listeners.add(hear);
    return () => this.listeners.delete(hear);
  }

  tell(news: News): void {
    this.news.tell(news);
  }

  get hasLeft(): boolean {
    const { kind } = this.standing.value;
    return kind === "signed-out" || kind === "another" || kind === "visiting";
  }

  /** `unsent`: as the person chose it at sign-out. Resolves when nothing is left on the disk. */
  leave(why: Left, unsent?: Unsent): Promise<void> {
    if (this.hasLeft) return Promise.resolve();
    this.news.tell({ kind: "left", why, unsent });
    return this.left(why, unsent);
  }

  private async left(why: Left, unsent: Unsent | undefined): Promise<void> {
    if (this.hasLeft) return;
    this.stand(why);
    this.news.close();
    this.cancelCompaction?.();
    const { cache, session, user_id } = this;
    this.cache = Promise.resolve(undefined);
    const closeCache = async () => (await cache)?.close();
    await this.leaving.leave({ why, session, user_id, unsent, closeCache });
  }

  /** Before anything is read. Where a deletion cannot be finished, this tab does without a disk. */
  private async purgeEnded(): Promise<void> {
    const { user_id } = this;
    const left = await import("./ending/purge.ts").then(
      ({ purgeEnded }) => purgeEnded(user_id),
      () => (user_id === undefined ? [] : [user_id]),
    );
    if (user_id !== undefined && left.includes(user_id)) this.cache = Promise.resolve(undefined);
  }

  private hear(news: News): void {
    if (this.hasLeft) return;
    if (news.kind === "left") return void this.left(news.why, news.unsent);
    if (news.kind === "events" || (news.kind === "reached" && news.isReached))
      noteHeard((this.heard = this.in_world.now()));
    if (news.kind === "reached") return this.stand(news.isReached ? "live" : "unreached");
    if (news.kind === "taken-back") return this.takenBack(news.key);
    if (news.kind === "wanted") this.answer();
    if (news.kind === "kick" || news.kind === "joined" || news.kind === "wanted") {
      return this.leaders.forEach((leader) => leader(news.kind === "kick" ? "kick" : "joined"));
    }
    // A state is used up by whoever takes it, so it is taken before anything else happens.
    if (news.kind === "state") {
      if (news.isNew || this.place === undefined) this.adopt(news.place, news.snapshot, []);
      return;
    }
    void this.inLine(() => (news.kind === "begun" ? this.load() : this.follow(news)));
  }

  private answer(): void {
    const { place } = this;
    if (place === undefined || !isStarted.value) return;
    this.news.tell({ kind: "state", isNew: false, place, snapshot: dehydrate(now()) });
  }

  private async follow({ place, from, events }: Extract<News, { kind: "events" }>): Promise<void> {
    const { place: own } = this;
    if (own?.queue_id !== place.queue_id || own.last_event_id < from) return this.load();
    this.advance(
      place,
      events.filter(({ id }) => id > own.last_event_id),
    );
  }

  /** Takes what the disk has, if it is later than what one has. */
  private async load(shown?: readonly string[]): Promise<void> {
    this.user_id ??= knownUser();
    const cache = this.user_id === undefined ? undefined : await this.cacheOf(this.user_id);
    if (await cache?.isAt(this.place).catch(() => false)) return;
    const start = await cache?.start(shown).catch(() => undefined);
    if (!start) return;
    const { place: own } = this;
    if (shown && !own) this.recall.started(start.windows, start.keys);
    if (own?.queue_id !== start.queue_id || own.last_event_id < start.last_event_id) {
      this.adopt(start, start.snapshot, start.events, start.place);
    } else {
      this.advance(
        start.place,
        start.events.filter(({ id }) => id > own.last_event_id),
      );
    }
  }

  private adopt(from: Place, snapshot: Snapshot, events: readonly Event[], place = from): void {
    if (this.hasLeft) return;
    const { queue_id, last_event_id } = place;
    if (typeof snapshot.user_id === "number") {
      this.user_id = snapshot.user_id;
      rememberUser(snapshot.user_id);
    }
    if (this.place !== undefined) this.recall.passed();
    start(snapshot);
    if (events.length > 0) apply(events);
    this.place = { queue_id, last_event_id };
    this.reduced = events.length;
    for (const hear of this.listeners) hear(events);
    this.compactLater();
  }

  private advance(place: Place, events: readonly Event[]): void {
    if (this.place === undefined || place.last_event_id <= this.place.last_event_id) return;
    this.recall.passed();
    apply(events);
    this.place = { queue_id: place.queue_id, last_event_id: place.last_event_id };
    this.reduced += events.length;
    for (const hear of this.listeners) hear(events);
    this.compactLater();
  }

  private compactLater(): void {
    this.cancelCompaction?.();
    if (this.reduced === 0) return;
    if (this.reduced >= COMPACT_EVENTS) void this.compact();
    else this.cancelCompaction = this.in_world.after(COMPACT_IDLE_MS, () => void this.compact());
  }

  /** Another tab may have done it; the disk takes only a later state. */
  private async compact(): Promise<void> {
    const { place } = this;
    if (place === undefined || document.hidden) return;
    this.reduced = 0;
    const kept = { ...place, snapshot: dehydrate(now()) };
    const cache = await this.cache;
    await cache?.compact(kept).catch(() => undefined);
  }

  private async tellBegun({ place, snapshot }: Extract<News, { kind: "state" }>): Promise<void> {
    const cache = await this.cacheOf(snapshot.user_id);
    if (cache) return this.news.tell({ kind: "begun", place });
    if (!isStarted.value) return;
    this.news.tell({ kind: "state", isNew: true, place, snapshot: dehydrate(now()) });
  }

  private cacheOf(user_id: number): Promise<Cache | undefined> {
    return (this.cache ??= Cache.open(user_id));
  }

  private stand(kind: Standing["kind"]): void {
    if (this.standing.value.kind === kind) return;
    this.standing.value = { kind, since: this.in_world.now() };
  }

  /** One after the other, as each reads the disk and then changes the state. */
  private inLine(step: () => Promise<void>): Promise<void> {
    this.line = this.line.then(step, step);
    return this.line;
  }
}
