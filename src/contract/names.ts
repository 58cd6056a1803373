// The few protocol names that contain the vendor's name, in both spellings.

/** Keys of responses, the register snapshot and events. Both spellings are sent. */
export const DOUBLED_KEYS = {
  zulip_version: "service_version",
  zulip_merge_base: "service_merge_base",
  zulip_feature_level: "service_feature_level",
  zulip_plan_is_not_limited: "service_plan_is_not_limited",
  realm_zulip_update_announcements_stream_id: "realm_service_update_announcements_stream_id",
  zulip_update_announcements_stream_id: "service_update_announcements_stream_id",
} as const;

type DoubledKeys = typeof DOUBLED_KEYS;
/** A record with the additions of `inBothSpellings`. */
type InBothSpellings<T> = T & { [K in keyof T & keyof DoubledKeys as DoubledKeys[K]]: T[K] };

export const FEATURE_LEVEL = 500;
export const PROTOCOL_VERSION = "12.2";

/** The reaction type of extra emoji, as stored and as sent to most clients. */
export const EXTRA_EMOJI = "zulip_extra_emoji";
export const EXTRA_EMOJI_OTHER = "service_extra_emoji";

/** URL scheme of addresses that mobile apps open. */
export const MOBILE_SCHEME = "zulip";
export const MOBILE_SCHEME_OTHER = "service";

export function hasDoubledKey(record: Record<string, unknown>): boolean {
  for (const key in DOUBLED_KEYS) if (key in record) return true;
  return false;
}

/** Returns the record with each doubled key in both spellings. */
export function inBothSpellings<T extends Record<string, unknown>>(record: T): InBothSpellings<T> {
  for (const [key, other] of Object.entries(DOUBLED_KEYS)) {
    if (key in record) (record as Record<string, unknown>)[other] = record[key];
  }
  return record as InBothSpellings<T>;
}

/** Returns a parameter's name in the other spelling. */
export function inServiceSpelling(name: string): string {
  return name.replace("zulip_", "service_");
}
