// A tip that is shown once per user, at the end of a list so that nothing moves.
import type { ONBOARDING_STEPS } from "../../../features/navigation/rules.ts";
import { sync } from "../../here.ts";
import { keyed, known } from "../../live.ts";
import { say, type Word } from "../../words/words.ts";
import { attempt } from "../settings/form.tsx";
import { finishStep } from "./steps.ts";

interface Told {
  /** Other clients of the protocol know by it, too, that it was read. */
  readonly step: keyof typeof ONBOARDING_STEPS;
  readonly words: Word;
}

export function Tip({ step, words }: Told) {
  keyed("onboarding_steps");
  if (!known()!.personal.onboarding_steps.some(({ name }) => name === step)) return null;
  const finish = () => attempt(() => finishStep(sync, { onboarding_step: step }));
  return (
    <p class="conversation-hint">
      <span>{say(words)}</span>
      <button type="button" onClick={() => void finish()}>
        {say("understood")}
      </button>
    </p>
  );
}
