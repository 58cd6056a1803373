// A tip that is shown once per user, at the end of a list so that nothing moves.
import type { ONBOARDING_STEPS } from "../../../features/navigation/rules.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { t, type TextKey } from "../../words/words.ts";
import { runWithToast } from "../../ui/form/save-errors.ts";
import { finishStep } from "../onboarding/step-actions.ts";

interface TipProps {
  /** Also tells other clients of the protocol that the user has seen it. */
  readonly step: keyof typeof ONBOARDING_STEPS;
  readonly textKey: TextKey;
}

export function Tip({ step, textKey }: TipProps) {
  subscribe("onboarding_steps");
  if (!getState().personal.onboarding_steps.some(({ name }) => name === step)) return null;
  const finish = () => runWithToast(() => finishStep(sync, { onboarding_step: step }));
  return (
    <p class="conversation-hint">
      <span>{t(textKey)}</span>
      <button type="button" onClick={() => void finish()}>
        {t("got-it")}
      </button>
    </p>
  );
}
