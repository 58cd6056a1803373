// The first steps of a new organization on one page: invite people, choose an icon and a theme.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ComponentType } from "preact";
import { go } from "../../store/address.ts";
import { subscribe } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { t } from "../../words/words.ts";
import { SidebarButton } from "../page/sidebar-button.tsx";
import { runWithToast } from "../../ui/form/save-errors.ts";
import { OrganizationIcon } from "./icon-view.tsx";
import { InvitePeople } from "./invite.tsx";
import { Appearance } from "./appearance.tsx";
import { finish, STEPS, type OnboardingStep, stepsLeft } from "./step-actions.ts";

const PARTS: Readonly<Record<OnboardingStep, ComponentType>> = {
  people: InvitePeople,
  name: OrganizationIcon,
  look: Appearance,
};

export function FirstSteps() {
  subscribe("onboarding_steps", "realm");
  // Steps that end while the page is open stay on it.
  const { current: steps } = useRef(stepsLeft());
  const isBusy = useSignal(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (steps.length === 0) go({ kind: "inbox" });
    else heading.current?.focus();
  }, []);
  const completeStep = async () => {
    isBusy.value = true;
    const isDone = await runWithToast(async () => {
      for (const step of stepsLeft()) await finish(step);
    });
    isBusy.value = false;
    if (isDone) go({ kind: "inbox" });
  };
  return (
    <>
      <header class="bar">
        <SidebarButton />
        <div class="bar-main">
          <h1 ref={heading} tabIndex={-1}>
            <bdi class="tp">{t("onboarding-title")}</bdi>
          </h1>
        </div>
      </header>
      <div class="page-body" tabIndex={0} role="region" aria-label={t("onboarding-title")}>
        <div class="in onboarding">
          {STEPS.filter((step) => steps.includes(step)).map((step) => (
            <Section key={step} step={step} />
          ))}
        </div>
      </div>
      <footer class="foot-bar">
        <p class="hint">{t("onboarding-again")}</p>
        <Button kind="primary" disabled={isBusy.value} onClick={() => void completeStep()}>
          {t("onboarding-done")}
        </Button>
      </footer>
    </>
  );
}

function Section({ step }: { step: OnboardingStep }) {
  const Part = PARTS[step];
  return (
    <section>
      <h2>{t(`onboarding-${step}`)}</h2>
      <p class="intro">{t(`onboarding-${step}-more`)}</p>
      <Part />
    </section>
  );
}
