// Limits and privacy of channels, and the personal settings of subscriptions.
import type { Channel, Subscription } from "../../schema/records.ts";
import { comparedName } from "../../text/compare-names.ts";

/** Channels created by one user, including archived ones. */
export const CHANNELS_PER_CREATOR_MAX = 2_000;
export const CHANNEL_NAME_LENGTH_MAX = 60;
export const CHANNEL_DESCRIPTION_LENGTH_MAX = 1024;
export const NEW_SUBSCRIPTION_MESSAGES_MAX = 100;
export const DEFAULT_GROUPS_MAX = 100;
export const RETENTION_FOREVER = -1;
export const TOPICS_POLICIES = [
  "inherit",
  "allow_empty_topic",
  "disable_empty_topic",
  "empty_topic_only",
] as const;

export type Privacy = Pick<
  Channel,
  "invite_only" | "is_web_public" | "history_public_to_subscribers"
>;

/**
 * Returns undefined for an invalid combination. Private without a history setting means protected
 * history.
 */
export function privacyOf(
  invite_only: boolean,
  is_web_public: boolean,
  history?: boolean,
): Privacy | undefined {
  const history_public_to_subscribers = history ?? !invite_only;
  if (!invite_only && !history_public_to_subscribers) return undefined;
  if (invite_only && is_web_public) return undefined;
  return { invite_only, is_web_public, history_public_to_subscribers };
}

export const isProtected = (channel: Privacy) =>
  channel.invite_only && !channel.history_public_to_subscribers;

/** Names that differ only in case or invisible characters are equal. */
export const foldedName = comparedName;

const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;

/**
 * Returns the position, counted from 1, of the first character that is not allowed in names; 0 if
 * there is none.
 */
export function unprintableIndex(name: string): number {
  return [...name].findIndex((character) => UNPRINTABLE.test(character)) + 1;
}

/** Replaces characters that are not allowed in names by spaces. */
export const replaceUnprintable = (name: string) =>
  name.replace(new RegExp(UNPRINTABLE, "gu"), " ");

/** Joins the lines of a description, removing white space around line breaks. */
export const joinLines = (description: string) =>
  description.trim().replace(/\s+/g, (spaces) => (/[\r\n]/.test(spaces) ? " " : spaces));

/** 24 distinguishable colors, in the order in which a user's channels receive them. */
export const COLORS: readonly string[] = [
  "#5b8def",
  "#e2725b",
  "#4fb286",
  "#d9a441",
  "#9b6dd6",
  "#3fa7b5",
  "#d65d8a",
  "#8aa83f",
  "#b5793c",
  "#6c7bd9",
  "#c95f5f",
  "#2f9e6e",
  "#e0902f",
  "#a65fb8",
  "#4a90a4",
  "#c2708f",
  "#6f9440",
  "#8f6b4a",
  "#7d9be6",
  "#e59a86",
  "#86c9a8",
  "#ecc97e",
  "#b99ce3",
  "#8ac7cf",
];

/** Used if the user has not selected a color. */
export const NEUTRAL_COLOR = "#c2c2c2";

/** The position of each color in COLORS, as a bit. */
const COLOR_BITS: ReadonlyMap<string, number> = new Map(
  COLORS.map((color, index) => [color, 1 << index]),
);

/** Returns the bit of a color in COLORS; 0 for other colors. */
export const colorBit = (color: string) => COLOR_BITS.get(color) ?? 0;

/** Returns the first unused color, or repeats colors if all are in use. */
export function unusedColor(used: number, subscriptions: number): string {
  const unusedBits = ~used & ((1 << COLORS.length) - 1);
  return COLORS[
    unusedBits === 0 ? subscriptions % COLORS.length : 31 - Math.clz32(unusedBits & -unusedBits)
  ]!;
}

/** Returns a color as seven lower-case characters; undefined if it is invalid. */
export function colorOf(text: string): string | undefined {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase();
  if (!/^#[0-9a-f]{3}$/i.test(text)) return undefined;
  return `#${[...text.slice(1)].map((digit) => digit + digit).join("")}`.toLowerCase();
}

/** Personal settings of a subscription, with their defaults. */
export const PERSONAL_DEFAULTS = {
  is_muted: false,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
} satisfies Partial<Subscription>;

export type PersonalFlag = keyof typeof PERSONAL_DEFAULTS;

/** The user setting that applies if the subscription has none of its own. */
export const INHERITED_SETTINGS = {
  desktop_notifications: "enable_stream_desktop_notifications",
  audible_notifications: "enable_stream_audible_notifications",
  push_notifications: "enable_stream_push_notifications",
  email_notifications: "enable_stream_email_notifications",
  wildcard_mentions_notify: "wildcard_mentions_notify",
} as const;
