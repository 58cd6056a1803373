// A user's navigation views and remaining explanations, for the user's clients.
import type { PlainEvent } from "../../contract/events.ts";
import type { Reader } from "../../realm.ts";
import type { NavigationViews } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { FOUNDER_STEPS, ONBOARDING_STEPS, HIDDEN_STEPS } from "./rules.ts";

export type View = NavigationViews["views"][number];

export function viewsOf(reader: Reader, { user_id }: Pick<User, "user_id">): readonly View[] {
  return reader.navigation_views.get(user_id)?.views ?? [];
}

export function viewsSnapshot(reader: Reader, user: User) {
  return { navigation_views: viewsOf(reader, user) };
}

export const viewAdded = (navigation_view: View): PlainEvent => ({
  type: "navigation_view",
  op: "add",
  navigation_view,
});

export const viewUpdated = (fragment: string, data: Partial<View>): PlainEvent => ({
  type: "navigation_view",
  op: "update",
  fragment,
  data,
});

export const viewRemoved = (fragment: string): PlainEvent => ({
  type: "navigation_view",
  op: "remove",
  fragment,
});

/** The explanations that the user has not seen. */
export function onboardingSteps(reader: Reader, { user_id }: Pick<User, "user_id">) {
  const stored = reader.onboarding_seen.get(user_id);
  const doneSteps = [...(stored?.steps ?? []), ...HIDDEN_STEPS];
  const all = { ...ONBOARDING_STEPS, ...(stored?.is_founder && FOUNDER_STEPS) };
  const steps = Object.entries(all).filter(([name]) => !doneSteps.includes(name));
  return steps.map(([name, type]) => ({ type, name }));
}

export function onboardingSnapshot(reader: Reader, user: User) {
  return { onboarding_steps: onboardingSteps(reader, user), navigation_tour_video_url: null };
}

export const onboardingChanged = (onboarding_steps: readonly object[]): PlainEvent => ({
  type: "onboarding_steps",
  onboarding_steps,
});
