// Marks visible messages as read; loaded after the first view.
import { changeFlags } from "../../api/calls.ts";
import { extentOf, type VisibleRow } from "../../feed/measure.ts";
import { sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import { optimistic } from "../../sync/optimistic.ts";
import type { ReadMarker, Reader } from "../conversation/read-marker-state.ts";
import { VISIBLE_MS_MIN, VisibilityTracker } from "./seen-state.ts";

/** The user is away after this time without input. */
const PRESENCE_MS = 300_000;
/**
 * Opening a view does not mark messages as read before this time, or before the user scrolls or
 * presses a key.
 */
const READ_DELAY_MS = 800;
const BATCH_MS = 1000;
const BATCH_MAX = 1000;

/** Time of the last input in any view. */
let lastInput = -Infinity;
let lastInteraction = -Infinity;
/** Called when an absent user returns. */
let returned = () => {};
for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchmove"]) {
  addEventListener(
    kind,
    (event) => {
      const wasAway = event.timeStamp - lastInput >= PRESENCE_MS;
      lastInput = event.timeStamp;
      if (!kind.startsWith("pointer")) lastInteraction = event.timeStamp;
      if (wasAway) returned();
    },
    { passive: true, capture: true },
  );
}

const isRead = (id: number) => getState().messages.byId.get(id)?.flags.includes("read");

export class Marking implements ReadMarker {
  private readonly visibility = new VisibilityTracker();
  private readonly unsentIds = new Set<number>();
  /** Messages that were read when visible, for this state only. */
  private readonly wasRead = new Set<number>();
  private unreadState: unknown;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private sending: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly reader: Reader) {
    addEventListener("pagehide", this.leaving);
    addEventListener("focus", this.measureAgain);
    returned = this.measureAgain;
    document.addEventListener("visibilitychange", this.measureAgain);
  }

  /** Receives the visible rows. Marks those that were visible long enough. */
  recordVisible(visibleRows: readonly VisibleRow[], scroller: HTMLElement): void {
    const now = performance.now();
    this.visibility.observe(visibleRows, extentOf(scroller).height, now);
    this.observe(visibleRows);
    this.mark(now);
  }

  /** Messages that are unread again were marked so by the user, possibly on another device. */
  private observe(visibleRows: readonly VisibleRow[]): void {
    const { unread } = getState();
    if (unread !== this.unreadState) this.wasRead.clear();
    this.unreadState = unread;
    for (const { id } of visibleRows) {
      const isPlaced = unread.byMessage.has(id);
      // A message that was fetched before its event is not in the index of unread messages yet.
      if (!isPlaced && isRead(id)) this.wasRead.add(id);
      if (isPlaced && this.wasRead.has(id)) this.reader.pause();
    }
  }

  /** Called when the user scrolls, but not when code does. */
  onScroll(): void {
    lastInteraction = performance.now();
  }

  onPause(): void {
    this.unsentIds.clear();
  }

  onResume(): void {
    this.wasRead.clear();
    this.measureAgain();
  }

  close(): void {
    clearTimeout(this.timer);
    this.flush();
    removeEventListener("pagehide", this.leaving);
    removeEventListener("focus", this.measureAgain);
    if (returned === this.measureAgain) returned = () => {};
    document.removeEventListener("visibilitychange", this.measureAgain);
  }

  private mark(now: number): void {
    clearTimeout(this.timer);
    const { openedAt, isMarkingOff: marksNothing, isPaused } = this.reader;
    if (marksNothing || isPaused.value) return;
    if (!this.canBeRead(now)) {
      // If the user is away, more time changes nothing. Just after the view was opened, it does.
      if (now - openedAt < READ_DELAY_MS) this.timer = setTimeout(this.measureAgain, READ_DELAY_MS);
      return;
    }
    const { byMessage, isCut } = getState().unread;
    // Beyond the server's limit, older unread messages are not in the index.
    const isUnread = (id: number) => byMessage.has(id) || (isCut && !isRead(id));
    for (const id of this.visibility.seenBy(now).filter(isUnread)) this.unsentIds.add(id);
    if (this.visibility.isWaiting(now)) this.timer = setTimeout(this.measureAgain, VISIBLE_MS_MIN);
    if (this.unsentIds.size > 0) this.sending ??= setTimeout(this.flush, BATCH_MS);
  }

  private readonly measureAgain = (): void => {
    // A page that is being left is not measured again, because that would delay the next one.
    const { last } = this.reader;
    if (last && !document.hidden) this.recordVisible(last.rows, last.scroller);
  };

  private canBeRead(now: number): boolean {
    if (document.hidden || !document.hasFocus()) return false;
    const { openedAt } = this.reader;
    const hasCome = lastInteraction > openedAt || now - openedAt >= READ_DELAY_MS;
    return hasCome && now - Math.max(lastInput, openedAt) < PRESENCE_MS;
  }

  private readonly flush = (): void => this.send(false);
  private readonly leaving = (): void => this.send(true);

  private send(isLeaving: boolean): void {
    clearTimeout(this.sending);
    this.sending = undefined;
    const messages = [...this.unsentIds].slice(0, BATCH_MAX);
    for (const id of messages) this.unsentIds.delete(id);
    if (messages.length === 0) return;
    const flagged = { op: "add" as const, flag: "read" as const, messages };
    const localEvent = { type: "update_message_flags" as const, ...flagged, all: false };
    // A closing page has no time to write to disk, but its request survives.
    if (isLeaving) changeFlags(sync, flagged, { keepalive: true }).catch(() => undefined);
    const request = changeFlags.toRequest(flagged);
    void optimistic(request, [localEvent], []);
    if (this.unsentIds.size > 0) this.sending = setTimeout(this.flush, BATCH_MS);
  }
}
