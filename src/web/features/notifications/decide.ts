// Decides whether a message notifies on this device, and why, as pure functions.
import {
  type NotificationContext,
  notificationReason,
  isReason,
  type Reason,
  type Silence,
  type NotificationKind,
} from "../../../features/notifications/rules.ts";
import type { State } from "../../store/state.ts";
import { matchesNarrow } from "../../store/narrow.ts";
import type { NarrowTerm } from "../../../text/narrow-fragment.ts";
import type { Message } from "../../contract/message.ts";
import { policyOf } from "../topics/state.ts";

/** Reasons why a message causes no notification, whatever its kind. */
export type SilenceReason = "own" | "read" | "muted-person" | "quiet" | "in-view";

/** Facts outside of the state: what users are viewing, and Do Not Disturb. */
export interface AttentionState {
  /** The views of messages that are visible in any tab. */
  readonly watched: readonly (readonly NarrowTerm[])[];
  readonly isQuiet: boolean;
}

export interface NotificationDecision {
  readonly silencedBy: SilenceReason | undefined;
  /** For each kind of notification, the reason for or against it. */
  readonly answers: Readonly<Record<NotificationKind, Reason | Silence>>;
  readonly shows: boolean;
  readonly sounds: boolean;
}

export function decideNotification(
  message: Message,
  state: State,
  attention: AttentionState,
): NotificationDecision {
  const concern = concernOf(message, state);
  // The server, which sends pushes and emails, does not check alert words.
  const withoutAlertWords = { ...concern, hasAlertWord: () => false };
  const reasons = {
    desktop: notificationReason("desktop", concern),
    sound: notificationReason("sound", concern),
    push: notificationReason("push", withoutAlertWords),
    email: notificationReason("email", withoutAlertWords),
  };
  const silencedBy = silenceReason(message, state, attention);
  const notifiesBy = (method: NotificationKind) =>
    silencedBy === undefined && isReason(reasons[method]);
  const hasSound = state.settings.settings["notification_sound"] !== "none";
  return {
    silencedBy,
    answers: reasons,
    shows: notifiesBy("desktop"),
    sounds: hasSound && notifiesBy("sound"),
  };
}

function silenceReason(
  message: Message,
  state: State,
  { watched, isQuiet }: AttentionState,
): SilenceReason | undefined {
  const { people } = state;
  if (message.sender_id === people.me) return "own";
  if (message.flags.includes("read")) return "read";
  if (people.muted.has(message.sender_id)) return "muted-person";
  if (isQuiet) return "quiet";
  return watched.some((terms) => matchesNarrow(terms, message, state) === true)
    ? "in-view"
    : undefined;
}

/** The properties of the message for the current user. */
function concernOf(
  message: Message,
  { people, channels, topics, settings }: State,
): NotificationContext {
  const { flags, content, stream_id } = message;
  const channel = stream_id === undefined ? undefined : channels.channels.get(stream_id);
  const row = channel?.membership === "subscribed" ? channel.row : undefined;
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
