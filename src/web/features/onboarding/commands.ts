// Opens the first steps for the user who set up the organization, and resumes unfinished ones.
import { effect } from "@preact/signals";
import { go, view } from "../../store/address.ts";
import { registerCommands } from "../../ui/keys/commands.ts";
import { subscribe } from "../../store/store.ts";
import type { View } from "../../views.ts";
import { stepsLeft } from "./step-actions.ts";

const PAGE: View = { kind: "page", page: "first-steps", path: [] };

registerCommands({
  id: "first-steps",
  textKey: "onboarding-title",
  when: () => stepsLeft().length > 0,
  run: () => go(PAGE),
});

/** Opened automatically once per tab, and only if the user is on the start page. */
let wasShown = false;
effect(() => {
  subscribe("onboarding_steps");
  const hasSteps = stepsLeft().length > 0;
  if (wasShown || !hasSteps || view.value.kind !== "home") return;
  wasShown = true;
  queueMicrotask(() => go(PAGE));
});
