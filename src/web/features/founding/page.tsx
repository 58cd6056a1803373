// The first steps of a new organization: what it is called, who comes, how it looks.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ComponentType } from "preact";
import { go } from "../../address.ts";
import { keyed } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { say } from "../../words/words.ts";
import { BackButton } from "../frame/back.tsx";
import { attempt } from "../settings/form.tsx";
import { Look } from "./look.tsx";
import { Naming } from "./naming.tsx";
import { Inviting } from "./inviting.tsx";
import { FORM, type Part } from "./part.tsx";
import { finish, STEPS, type Step, stepsLeft } from "./steps.ts";

const PARTS: Readonly<Record<Step, ComponentType<Part>>> = {
  name: Naming,
  people: Inviting,
  look: Look,
};

export function FirstSteps() {
  keyed("onboarding_steps", "realm");
  const left = stepsLeft();
  const step = left[0];
  const isBusy = useSignal(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [step]);
  if (step === undefined) return <Done />;
  const Shown = PARTS[step];
  const number = STEPS.indexOf(step) + 1;
  const on = async () => {
    isBusy.value = true;
    await attempt(() => finish(step));
    isBusy.value = false;
  };
  return (
    <>
      <header class="bar">
        <BackButton />
        <div class="bar-main">
          <h1>
            <bdi class="tp">{say("founding-title")}</bdi>
          </h1>
        </div>
      </header>
      <div class="page-body" tabIndex={0} role="region" aria-label={say("founding-title")}>
        <div class="in founding">
          <ol class="founding-steps" aria-hidden="true">
            {STEPS.map((one) => (
              <li key={one} data-now={one === step} data-done={!left.includes(one)} />
            ))}
          </ol>
          <p class="hint">{say("step-of", { number, count: STEPS.length })}</p>
          <h2 ref={heading} tabIndex={-1}>
            {say(`founding-${step}`)}
          </h2>
          <p class="intro">{say(`founding-${step}-more`)}</p>
          <Shown key={step} next={() => void on()} />
        </div>
      </div>
      <footer class="foot-bar">
        <p class="hint">
          <Button kind="quiet" onClick={() => go({ kind: "inbox" })}>
            {say("founding-later")}
          </Button>
        </p>
        <Button disabled={isBusy.value} onClick={() => void on()}>
          {say("founding-skip")}
        </Button>
        <Button kind="primary" type="submit" form={FORM} disabled={isBusy.value}>
          {say(number === STEPS.length ? "founding-done" : "founding-next")}
        </Button>
      </footer>
    </>
  );
}

function Done() {
  useEffect(() => go({ kind: "inbox" }), []);
  return null;
}
