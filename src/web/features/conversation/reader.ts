// Marks as read what a person has had before their eyes.
import { signal } from "@preact/signals";
import { changeFlags } from "../../api/calls.ts";
import { isConversation } from "../../feed/narrow.ts";
import type { Seen } from "../../feed/measure.ts";
import { extentOf } from "../../feed/measure.ts";
import { sync } from "../../here.ts";
import { now } from "../../live.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import { SEEN_MS, Sights } from "./seen.ts";

const POLICY = { always: 1, conversations: 2, never: 3 } as const;
/** Who has touched nothing for so long is not there. */
const PRESENT_MS = 300_000;
/** To have come here is not to read: a moment passes, or a person scrolls or presses a key. */
const STAY_MS = 800;
const BATCH_MS = 1000;
const BATCH_MAX = 1000;

/** Of any view. Whoever moves is there; whoever presses a key or turns the wheel does something. */
let lastInput = -Infinity;
let lastDeed = -Infinity;
/** What the view that is open does when somebody is there again who was not. */
let returned = () => {};
for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"]) {
  addEventListener(
    kind,
    (event) => {
      const wasAway = event.timeStamp - lastInput >= PRESENT_MS;
      lastInput = event.timeStamp;
      if (!kind.startsWith("pointer")) lastDeed = event.timeStamp;
      if (wasAway) returned();
    },
    { passive: true, capture: true },
  );
}

export class Reader {
  /** What one has marked as unread stays so until one goes on. */
  readonly isPaused = signal(false);
  private readonly opened = performance.now();
  private readonly sights = new Sights();
  private readonly toMark = new Set<number>();
  /** What was read when it was in sight; another state knows nothing of it. */
  private readonly wasRead = new Set<number>();
  private of: unknown;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: ReturnType<typeof setTimeout> | undefined;
  private last: { seen: readonly Seen[]; scroller: HTMLElement } | undefined;

  constructor(private readonly terms: readonly NarrowTerm[]) {
    addEventListener("pagehide", this.leaving);
    addEventListener("focus", this.again);
    returned = this.again;
    document.addEventListener("visibilitychange", this.again);
  }

  /** Reading here marks nothing: the view is a search, or the settings say so. */
  get marksNothing(): boolean {
    return !mayMark(this.terms);
  }

  /** Rows that are in sight now. What has been long enough is marked. */
  see(seen: readonly Seen[], scroller: HTMLElement): void {
    this.last = { seen, scroller };
    const at = performance.now();
    this.sights.see(seen, extentOf(scroller).height, at);
    this.heed(seen);
    this.mark(at);
  }

  /** What was read and is unread again was marked so, on another device too. */
  private heed(seen: readonly Seen[]): void {
    const { messages, unread } = now();
    if (unread !== this.of) this.wasRead.clear();
    this.of = unread;
    for (const { id } of seen) {
      if (!unread.placeOf.has(id)) {
        // What was fetched before it was told of is in no place yet.
        if (messages.byId.get(id)?.flags.includes("read")) this.wasRead.add(id);
      } else if (this.wasRead.has(id)) this.pause();
    }
  }

  /** A person has moved the feed; scrolls by code do not come here. */
  scrolled(): void {
    lastDeed = performance.now();
  }

  pause(): void {
    this.isPaused.value = true;
    this.toMark.clear();
  }

  resume(): void {
    this.isPaused.value = false;
    this.wasRead.clear();
    this.again();
  }

  close(): void {
    clearTimeout(this.timer);
    this.flush();
    removeEventListener("pagehide", this.leaving);
    removeEventListener("focus", this.again);
    if (returned === this.again) returned = () => {};
    document.removeEventListener("visibilitychange", this.again);
  }

  private mark(at: number): void {
    clearTimeout(this.timer);
    if (this.marksNothing || this.isPaused.value) return;
    if (!this.mayRead(at)) {
      // Away, nothing changes by waiting; a moment after coming, it does.
      if (at - this.opened < STAY_MS) this.timer = setTimeout(this.again, STAY_MS);
      return;
    }
    const { placeOf } = now().unread;
    for (const id of this.sights.seenBy(at)) if (placeOf.has(id)) this.toMark.add(id);
    if (this.sights.isWaiting(at)) this.timer = setTimeout(this.again, SEEN_MS);
    if (this.toMark.size > 0) this.sending ??= setTimeout(this.flush, BATCH_MS);
  }

  private readonly again = (): void => {
    // A page that is left need not be measured for it: that would keep waiting what comes next.
    if (this.last && !document.hidden) this.see(this.last.seen, this.last.scroller);
  };

  private mayRead(at: number): boolean {
    if (document.hidden || !document.hasFocus()) return false;
    const hasCome = lastDeed > this.opened || at - this.opened >= STAY_MS;
    return hasCome && at - Math.max(lastInput, this.opened) < PRESENT_MS;
  }

  private readonly flush = (): void => this.send(false);
  private readonly leaving = (): void => this.send(true);

  private send(isLeaving: boolean): void {
    clearTimeout(this.sending);
    this.sending = undefined;
    const messages = [...this.toMark].slice(0, BATCH_MAX);
    for (const id of messages) this.toMark.delete(id);
    if (messages.length === 0) return;
    const flagged = { op: "add" as const, flag: "read" as const, messages };
    const foretold = { type: "update_message_flags" as const, ...flagged, all: false };
    // A page that leaves has no time for the disk, but the request outlives it.
    if (isLeaving) changeFlags(sync, flagged, { keepalive: true }).catch(() => undefined);
    const asked = changeFlags.asked(flagged);
    // Nobody has read anything in the first moment.
    void import("../../optimistic.ts").then(({ optimistic }) => optimistic(asked, [foretold], []));
    if (this.toMark.size > 0) this.sending = setTimeout(this.flush, BATCH_MS);
  }
}

/** Views of what was said somewhere, in which one reads; a search is none, nor is a glance. */
const READING = ["channel", "topic", "dm", "with", "is"];

function mayMark(terms: readonly NarrowTerm[]): boolean {
  const policy = now().settings.settings["web_mark_read_on_scroll_policy"];
  if (policy === POLICY.never) return false;
  const isPlace = isConversation(terms, now().people.me);
  if (policy === POLICY.conversations && !isPlace) return false;
  return terms.every(({ operator, negated }) => !negated && READING.includes(operator));
}
