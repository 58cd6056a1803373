// The remaining first steps of the user who set up the organization.
import { call } from "../../api/call.ts";
import { sync } from "../../sync/session.ts";
import { maybeState } from "../../store/store.ts";
import type { postOnboardingStep } from "../../../features/navigation/onboarding.ts";
import type { FOUNDER_STEPS } from "../../../features/navigation/rules.ts";

type WireStepName = keyof typeof FOUNDER_STEPS;
/** In order, by their URL fragments; the server uses other names. */
export const STEPS = ["people", "name", "look"] as const;
export type OnboardingStep = (typeof STEPS)[number];

export const finishStep = call<typeof postOnboardingStep>(
  "POST",
  "/users/me/onboarding_steps",
  "flags",
);

/** Subscribe to the key `onboarding_steps` to rerender. */
export function stepsLeft(): OnboardingStep[] {
  const remaining = maybeState()?.personal.onboarding_steps.map(({ name }) => name) ?? [];
  return STEPS.filter((step) => remaining.includes(`founder_${step}` satisfies WireStepName));
}

/** The step is not shown again. */
export async function finish(step: OnboardingStep): Promise<void> {
  const onboarding_step: WireStepName = `founder_${step}`;
  await finishStep(sync, { onboarding_step });
}
