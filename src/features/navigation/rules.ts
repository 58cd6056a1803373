// The built-in navigation views, and the maximum of additional ones.

const BUILT_IN_VIEWS: readonly string[] = [
  "inbox",
  "recent",
  "feed",
  "drafts",
  "narrow/has/reaction/sender/me",
  "narrow/is/mentioned",
  "narrow/is/starred",
];
export const NAVIGATION_VIEWS_MAX = 200;
export const FRAGMENT_LENGTH_MAX = 1_000;
export const VIEW_NAME_LENGTH_MAX = 100;

export const isBuiltIn = (fragment: string) => BUILT_IN_VIEWS.includes(fragment);

/** Explanations that clients show once to each user, by name. */
export const ONBOARDING_STEPS = {
  visibility_policy_banner: "one_time_notice",
  intro_inbox_view_modal: "one_time_notice",
  intro_recent_view_modal: "one_time_notice",
  first_stream_created_banner: "one_time_notice",
  jump_to_conversation_banner: "one_time_notice",
  non_interleaved_view_messages_fading: "one_time_notice",
  interleaved_view_messages_fading: "one_time_notice",
  intro_resolve_topic: "one_time_notice",
  navigation_tour_video: "one_time_notice",
  narrow_to_dm_with_welcome_bot_new_user: "one_time_action",
} as const;

/** Steps only for the owner who sets up the organization. */
export const FOUNDER_STEPS = {
  founder_name: "one_time_action",
  founder_people: "one_time_action",
  founder_look: "one_time_action",
} as const;

export const isStep = (name: string): boolean =>
  Object.hasOwn(ONBOARDING_STEPS, name) || Object.hasOwn(FOUNDER_STEPS, name);

/** The video does not exist on this server. */
export const HIDDEN_STEPS: readonly string[] = ["navigation_tour_video"];
