// Selects messages of a narrow around an anchor.
import { invalidValue } from "../../../contract/errors/channels.ts";
import { missingParameter } from "../../../contract/errors/general.ts";
import { anchorDateInvalid, anchorMissing } from "../../../contract/errors/messages.ts";
import type { Reader } from "../../../realm.ts";
import { dayOf } from "../../../text/search/dates.ts";
import { SPECTATOR, type Viewer } from "../../rights/rules.ts";
import { idSince } from "../../channels/id-since-wire.ts";
import { firstSince } from "../sets/backdated.ts";
import { Muting } from "../sets/muted.ts";
import type { Lookup } from "../sets/received.ts";
import { type IdSet, idsBack, idsFrom, NarrowedSet } from "../sets/sets.ts";
import { Unread } from "../unread/unread.ts";

/** An anchor after every message. */
export const NEWEST = 10_000_000_000_000_000;
const OLDEST = 0;

interface Window {
  anchor: number;
  include_anchor: boolean;
  num_before: number;
  num_after: number;
}

interface FetchWindow {
  /** Ascending. */
  ids: number[];
  found_anchor: boolean;
  found_oldest: boolean;
  found_newest: boolean;
}

/** Returns the ids of a set around an anchor. */
export function fetchWindow(reader: Reader, set: IdSet, window: Window): FetchWindow {
  const { anchor, include_anchor, num_before } = window;
  const last = reader.last("messages");
  const [isOldest, isNewest] = [anchor === OLDEST, anchor >= NEWEST];
  const num_after = isNewest ? 0 : window.num_after;
  const includesBefore = !isOldest && num_before > 0;
  const includesAfter = !isNewest && num_after > 0;

  const before = includesBefore ? idsBack(set, 0, Math.min(anchor - 1, last), num_before) : [];
  const after = includesAfter ? idsFrom(set, anchor + 1, last, num_after) : [];
  const couldContain = include_anchor && anchor <= last;
  const anchorIds = couldContain ? idsFrom(set, anchor, anchor, 1) : [];
  return {
    ids: [...before.reverse(), ...anchorIds, ...after],
    found_anchor: anchorIds.length > 0,
    found_oldest: isOldest || before.length < num_before,
    found_newest: isNewest || after.length < num_after,
  };
}

/** Parses an anchor: digits or a keyword. */
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

/**
 * Returns the first unread message that is not muted; `NEWEST` if there is none, and for
 * spectators.
 */
function firstUnread(reader: Reader, viewer: Viewer, set: IdSet, messageOf: Lookup): number {
  if (viewer === SPECTATOR) return NEWEST;
  const unread = new Unread(reader, viewer.user_id, messageOf);
  const unmutedUnread = new NarrowedSet(
    [set, unread],
    [new Muting(reader, viewer.user_id).muted()],
  );
  const [first = NEWEST] = idsFrom(unmutedUnread, 0, reader.last("messages"), 1);
  return first;
}

/** The first message at or after that time; the newest one if there is none. */
function anchorAt(reader: Reader, set: IdSet, seconds: number, messageOf: Lookup): number {
  return firstSince(reader, set, seconds, idSince(reader, seconds), messageOf) ?? NEWEST;
}

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(:\d\d(\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?$/i;

/** Parses ISO 8601; a date means midnight, and UTC is the default time zone. */
function secondsOf(text: string): number {
  const [, date = text, time = "00:00", , , zone = "Z"] = TIME.exec(text) ?? [];
  const ms = Date.parse(`${date}T${time}${withZoneColon(zone)}`);
  if (dayOf(date) === null || Number.isNaN(ms)) throw anchorDateInvalid();
  return ms / 1000;
}

const withZoneColon = (zone: string) => zone.toUpperCase().replace(/(\d\d)(\d\d)$/, "$1:$2");
