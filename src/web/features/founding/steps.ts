// The first steps of who has set the organization up: which of them are still to be taken.
import { call } from "../../api/call.ts";
import { sync } from "../../here.ts";
import { known } from "../../live.ts";
import type { postOnboardingStep } from "../../../features/navigation/onboarding.ts";
import type { FOUNDER_STEPS } from "../../../features/navigation/rules.ts";

type Wire = keyof typeof FOUNDER_STEPS;
/** In their order, by their address; the server knows each by another name. */
export const STEPS = ["name", "people", "look"] as const;
export type Step = (typeof STEPS)[number];

export const finishStep = call<typeof postOnboardingStep>(
  "POST",
  "/users/me/onboarding_steps",
  "flags",
);

/** Draw anew by the key `onboarding_steps`. */
export function stepsLeft(): Step[] {
  const left = known()?.personal.onboarding_steps.map(({ name }) => name) ?? [];
  return STEPS.filter((step) => left.includes(`founder_${step}` satisfies Wire));
}

/** Taken or skipped: it is not shown again. */
export async function finish(step: Step): Promise<void> {
  const onboarding_step: Wire = `founder_${step}`;
  await finishStep(sync, { onboarding_step });
}
