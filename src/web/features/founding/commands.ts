// Leads who has set the organization up to its first steps, and back to what was left of them.
import { effect } from "@preact/signals";
import { go, view } from "../../address.ts";
import { offer } from "../../commands.ts";
import { keyed } from "../../live.ts";
import type { View } from "../../views.ts";
import { stepsLeft } from "./steps.ts";

const PAGE: View = { kind: "page", page: "first-steps", path: [] };

offer({
  id: "first-steps",
  words: "founding-title",
  when: () => stepsLeft().length > 0,
  run: () => go(PAGE),
});

/** Opened automatically once per tab, and only if the user is on the start page. */
let wasShown = false;
effect(() => {
  keyed("onboarding_steps");
  const isThere = stepsLeft().length > 0;
  if (wasShown || !isThere || view.value.kind !== "home") return;
  wasShown = true;
  queueMicrotask(() => go(PAGE));
});
