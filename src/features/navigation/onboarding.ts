// Records which explanations a user has seen.
import { onboardingStepUnknown } from "../../contract/errors/realm.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int, optional, text } from "../../endpoint.ts";
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { isStep, HIDDEN_STEPS } from "./rules.ts";
import { onboardingChanged, onboardingSteps } from "./wire.ts";

function finishStep(tx: Writer, { user_id }: User, step: string): void {
  if (!isStep(step)) throw onboardingStepUnknown(step);

  const stored = tx.onboarding_seen.get(user_id) ?? { user_id, steps: [] };
  if (stored.steps.includes(step) || HIDDEN_STEPS.includes(step)) return;
  tx.onboarding_seen.put({ ...stored, steps: [...stored.steps, step] });
  const audience = { to: "people", user_ids: [user_id] } as const;
  tx.emit(onboardingChanged(onboardingSteps(tx, { user_id })), audience);
}

/** Starts the onboarding of the first owner, before the owner has any client. */
export function startOnboarding(tx: Writer, { user_id }: User): void {
  tx.onboarding_seen.put({ user_id, steps: [], is_founder: true });
}

export const postOnboardingStep = endpoint({
  summary: "Mark an onboarding step as seen",
  tag: "People",
  params: {
    onboarding_step: text,
    schedule_navigation_tour_video_reminder_delay: optional(int),
  },
  answer: nothing,
  run: async ({ realm, user }, { onboarding_step }) => {
    await realm.write((tx) => finishStep(tx, user, onboarding_step));
    return {};
  },
});
