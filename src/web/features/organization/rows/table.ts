// All pages of setting rows, and the settings without a row; together they cover every setting.
import { PROFILE } from "./general.ts";
import { JOINING_SECTIONS } from "./joining.ts";
import type { OrganizationSection } from "./kinds.ts";
import type { OrganizationSetting } from "../state.ts";
import { MESSAGES, MODERATION, RETENTION } from "./messages.ts";
import { PERMISSIONS } from "./permission-rows.ts";

export const ORGANIZATION_ROW_PAGES = {
  profile: PROFILE,
  permissions: PERMISSIONS,
  messages: MESSAGES,
  joining: JOINING_SECTIONS,
  retention: RETENTION,
  moderation: MODERATION,
} as const satisfies Record<string, readonly OrganizationSection[]>;

export const ALL_ROWS: readonly OrganizationSection[] =
  Object.values(ORGANIZATION_ROW_PAGES).flat();

/** Settings that have a page of their own. */
export const ELSEWHERE: readonly OrganizationSetting[] = ["authentication_methods"];

/** Settings that no page offers, each with the reason. */
export const LEFT_OUT: Partial<Record<OrganizationSetting | "string_id", string>> = {
  string_id: "it is of demonstrations alone",
  digest_emails_enabled: "no digests are sent",
  digest_weekday: "no digests are sent",
  gif_rating_policy: "no pictures of others are searched",
  want_advertise_in_communities_directory: "there is no directory",
  zulip_update_announcements_stream_id: "nothing is announced there",
  can_manage_billing_group: "there is nothing to pay",
  can_summarize_topics_group: "there are no summaries",
  workplace_users_group: "nothing goes by it",
};
