// Decides whether a message notifies a user, and why: for email, push, desktop and sounds.
import { FOLLOWED, MUTED, UNMUTED } from "../../contract/policies.ts";
import type { SettingName } from "../settings/rules.ts";

const REASONS = ["direct", "mention", "group", "word", "wildcard", "followed", "channel"] as const;
export type Reason = (typeof REASONS)[number];

/** Why the user is not notified. "off": the setting for this trigger is off. */
export type Silence = "off" | "not-subscribed" | "muted-topic" | "muted-channel";

/** The kinds of notifications. */
export type NotificationKind = "desktop" | "sound" | "push" | "email";

type OfChannel =
  "desktop_notifications" | "audible_notifications" | "push_notifications" | "email_notifications";

interface SettingNames {
  /** Setting for messages addressed to the user: direct messages, mentions and alert words. */
  readonly personal: SettingName;
  readonly followed: SettingName;
  readonly channels: SettingName;
  /** Setting of a channel that overrides it. */
  readonly ofChannel: OfChannel;
}

/** The settings that apply to each kind. */
const SETTINGS_BY_KIND: Readonly<Record<NotificationKind, SettingNames>> = {
  desktop: {
    personal: "enable_desktop_notifications",
    followed: "enable_followed_topic_desktop_notifications",
    channels: "enable_stream_desktop_notifications",
    ofChannel: "desktop_notifications",
  },
  sound: {
    personal: "enable_sounds",
    followed: "enable_followed_topic_audible_notifications",
    channels: "enable_stream_audible_notifications",
    ofChannel: "audible_notifications",
  },
  push: {
    personal: "enable_offline_push_notifications",
    followed: "enable_followed_topic_push_notifications",
    channels: "enable_stream_push_notifications",
    ofChannel: "push_notifications",
  },
  email: {
    personal: "enable_offline_email_notifications",
    followed: "enable_followed_topic_email_notifications",
    channels: "enable_stream_email_notifications",
    ofChannel: "email_notifications",
  },
};

/** A subscriber's settings of a channel. null: the user's general setting. */
interface ChannelNotificationSettings extends Record<OfChannel, boolean | null> {
  readonly is_muted: boolean;
  readonly wildcard_mentions_notify: boolean | null;
}

/**
 * The properties of a message for one user. Expensive ones are functions, called only if needed.
 */
export interface NotificationContext {
  readonly isDirect: boolean;
  isMentioned(): boolean;
  isGroupMentioned(): boolean;
  isEveryoneMentioned(): boolean;
  /** Whether the message contains one of the user's alert words; only open clients check this. */
  hasAlertWord(): boolean;
  /** The user's policy for the topic. */
  readonly policy: number | undefined;
  /** undefined if the user is not subscribed. */
  readonly channel: ChannelNotificationSettings | undefined;
  wants(name: SettingName): boolean;
}

/** Applies mutes. Only mentions of the user by name override them. */
export function notificationReason(
  notificationKind: NotificationKind,
  context: NotificationContext,
): Reason | Silence {
  const { personal, followed, channels, ofChannel } = SETTINGS_BY_KIND[notificationKind];
  const wantsPersonal = context.wants(personal);
  if (context.isDirect) return wantsPersonal ? "direct" : "off";
  if (wantsPersonal && context.isMentioned()) return "mention";
  if (wantsPersonal && context.isGroupMentioned()) return "group";
  const { channel, policy } = context;
  if (!channel) return "not-subscribed";
  if (policy === MUTED) return "muted-topic";
  if (channel.is_muted && policy !== FOLLOWED && policy !== UNMUTED) return "muted-channel";
  if (wantsPersonal && context.hasAlertWord()) return "word";
  const isFollowed = policy === FOLLOWED;
  if (wantsPersonal && context.isEveryoneMentioned()) {
    const isWanted = channel.wildcard_mentions_notify ?? context.wants("wildcard_mentions_notify");
    if (isWanted || (isFollowed && context.wants(WILDCARD_IN_FOLLOWED))) return "wildcard";
  }
  if (isFollowed && context.wants(followed)) return "followed";
  return (channel[ofChannel] ?? context.wants(channels)) ? "channel" : "off";
}

const WILDCARD_IN_FOLLOWED = "enable_followed_topic_wildcard_mentions_notify";

export function isReason(response: Reason | Silence): response is Reason {
  return (REASONS as readonly string[]).includes(response);
}
