// Which messages of a narrow a request gets: those around an anchor, as many as it asks for.
import { invalidValue } from "../../../contract/errors/channels.ts";
import { missingParameter } from "../../../contract/errors/general.ts";
import { anchorDateInvalid, anchorMissing } from "../../../contract/errors/messages.ts";
import type { Reader } from "../../../realm.ts";
import { SPECTATOR, type Viewer } from "../../rights/rules.ts";
import { firstSince, nextInOrder } from "../sets/backdated.ts";
import { Muting } from "../sets/muted.ts";
import type { Lookup } from "../sets/received.ts";
import { type IdSet, idsBack, idsFrom, Narrowed } from "../sets/sets.ts";
import { Unread } from "../unread/unread.ts";

/** The anchor beyond every message. */
export const NEWEST = 10_000_000_000_000_000;
const OLDEST = 0;

export interface Window {
  anchor: number;
  include_anchor: boolean;
  num_before: number;
  num_after: number;
}

export interface FetchWindow {
  /** Ascending. */
  ids: number[];
  found_anchor: boolean;
  found_oldest: boolean;
  found_newest: boolean;
}

/** The ids of a set around an anchor. */
export function fetchWindow(reader: Reader, set: IdSet, window: Window): FetchWindow {
  const { anchor, include_anchor, num_before } = window;
  const last = reader.last("messages");
  const [isOldest, isNewest] = [anchor === OLDEST, anchor >= NEWEST];
  const num_after = isNewest ? 0 : window.num_after;
  const takesBefore = !isOldest && num_before > 0;
  const takesAfter = !isNewest && num_after > 0;

  const before = takesBefore ? idsBack(set, 0, Math.min(anchor - 1, last), num_before) : [];
  const after = takesAfter ? idsFrom(set, anchor + 1, last, num_after) : [];
  const mayHold = include_anchor && anchor <= last;
  const at = mayHold ? idsFrom(set, anchor, anchor, 1) : [];
  return {
    ids: [...before.reverse(), ...at, ...after],
    found_anchor: at.length > 0,
    found_oldest: isOldest || before.length < num_before,
    found_newest: isNewest || after.length < num_after,
  };
}

/** The id that an anchor means: digits, or a word. */
export function anchorId(
  reader: Reader,
  viewer: Viewer,
  set: IdSet,
  messageOf: Lookup,
  anchor: string | undefined,
  date?: string,
): number {
  switch (anchor) {
    case undefined:
      throw anchorMissing();
    case "newest":
      return NEWEST;
    case "oldest":
      return OLDEST;
    case "first_unread":
      return firstUnread(reader, viewer, set, messageOf);
    case "date":
      if (date === undefined) throw missingParameter("anchor_date");
      return anchorAt(reader, set, secondsOf(date), messageOf);
    default:
      if (!/^-?\d{1,400}$/.test(anchor)) throw invalidValue("anchor");
      return Math.max(OLDEST, Math.min(Number(anchor), NEWEST));
  }
}

/** Of what is not muted; without any, and to a spectator, the newest end. */
function firstUnread(reader: Reader, viewer: Viewer, set: IdSet, messageOf: Lookup): number {
  if (viewer === SPECTATOR) return NEWEST;
  const unread = new Unread(reader, viewer.user_id, messageOf);
  const loud = new Narrowed([set, unread], [new Muting(reader, viewer.user_id).muted()]);
  const [first = NEWEST] = idsFrom(loud, 0, reader.last("messages"), 1);
  return first;
}

/** The first message of the set at that time or after; without any, the newest end. */
function anchorAt(reader: Reader, set: IdSet, seconds: number, messageOf: Lookup): number {
  return firstSince(reader, set, seconds, idSince(reader, seconds), messageOf) ?? NEWEST;
}

/** The first id, of a message or not, that no message before that time has, but backdated ones. */
export function idSince(reader: Reader, seconds: number): number {
  let [low, high] = [1, reader.last("messages") + 1];
  // Between low and high lies the first id that is late enough.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const next = nextInOrder(reader, middle, high);
    if (!next || next.timestamp >= seconds) high = middle;
    else low = next.id + 1;
  }
  return low;
}

const DATE = /^\d{4}-\d\d-\d\d$/;
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(:\d\d(\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/i;

/** ISO 8601: midnight of a date; without a zone, in UTC. */
function secondsOf(text: string): number {
  const [, date, time, , , zone = "Z"] = TIME.exec(text) ?? [];
  const isDate = DATE.test(text);
  const ms = isDate ? Date.parse(`${text}T00:00:00Z`) : Date.parse(`${date}T${time}${zoned(zone)}`);
  if (Number.isNaN(ms)) throw anchorDateInvalid();
  return ms / 1000;
}

const zoned = (zone: string) => zone.toUpperCase().replace(/(\d\d)(\d\d)$/, "$1:$2");
