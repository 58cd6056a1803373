// Whether a message is shown and heard on this device, and why: pure, so that it can be explained.
import {
  type Concern,
  heard,
  isReason,
  type Reason,
  type Silence,
  type Way,
} from "../../../features/notifications/rules.ts";
import type { State } from "../../state.ts";
import { holds } from "../../feed/narrow.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import type { Message } from "../messages/state.ts";
import { policyOf } from "../topics/state.ts";

/** Reasons why a message causes no notification, whatever its kind. */
export type Held = "own" | "read" | "muted-person" | "quiet" | "in-view";

/** Facts outside of the state: what users are viewing, and Do Not Disturb. */
export interface Around {
  /** The views of messages that are in sight, in whichever tab. */
  readonly watched: readonly (readonly NarrowTerm[])[];
  readonly isQuiet: boolean;
}

export interface Verdict {
  readonly held: Held | undefined;
  /** For each way of being told: why, or why not. */
  readonly answers: Readonly<Record<Way, Reason | Silence>>;
  readonly shows: boolean;
  readonly sounds: boolean;
}

export function judge(message: Message, state: State, around: Around): Verdict {
  const concern = concernOf(message, state);
  // The server, which pushes and sends mail, looks for no words.
  const there = { ...concern, hasAlertWord: () => false };
  const answers = {
    desktop: heard("desktop", concern),
    sound: heard("sound", concern),
    push: heard("push", there),
    email: heard("email", there),
  };
  const held = heldBy(message, state, around);
  const is = (way: Way) => held === undefined && isReason(answers[way]);
  const hasSound = state.settings.settings["notification_sound"] !== "none";
  return { held, answers, shows: is("desktop"), sounds: hasSound && is("sound") };
}

function heldBy(message: Message, state: State, { watched, isQuiet }: Around): Held | undefined {
  const { people } = state;
  if (message.sender_id === people.me) return "own";
  if (message.flags.includes("read")) return "read";
  if (people.muted.has(message.sender_id)) return "muted-person";
  if (isQuiet) return "quiet";
  return watched.some((terms) => holds(terms, message, state) === true) ? "in-view" : undefined;
}

/** The message as it stands to oneself. */
export function concernOf(
  message: Message,
  { people, channels, topics, settings }: State,
): Concern {
  const { flags, content, stream_id } = message;
  const known = stream_id === undefined ? undefined : channels.channels.get(stream_id);
  const row = known?.standing === "subscribed" ? known.row : undefined;
  const isCalled = flags.includes("mentioned");
  const isByName = content.includes(`data-user-id="${people.me}"`);
  return {
    isDirect: stream_id === undefined,
    isMentioned: () => isCalled && isByName,
    isGroupMentioned: () => isCalled && !isByName,
    isEveryoneMentioned: () => flags.some((flag) => WILDCARDS.includes(flag)),
    hasAlertWord: () => flags.includes("has_alert_word"),
    policy: stream_id === undefined ? undefined : policyOf(topics, stream_id, message.subject),
    channel: row && {
      is_muted: row.is_muted === true,
      desktop_notifications: row.desktop_notifications ?? null,
      audible_notifications: row.audible_notifications ?? null,
      push_notifications: row.push_notifications ?? null,
      email_notifications: row.email_notifications ?? null,
      wildcard_mentions_notify: row.wildcard_mentions_notify ?? null,
    },
    wants: (name) => settings.settings[name] === true,
  };
}

const WILDCARDS = ["stream_wildcard_mentioned", "topic_wildcard_mentioned", "wildcard_mentioned"];
