// A user's day in Firefox.
import { countOf } from "../repetitions.ts";
import { runScenarioIn } from "./run-scenario.ts";
import { openFirefox } from "./firefox.ts";

runScenarioIn({
  name: "Firefox",
  packages: "firefox-esr",
  days: countOf("firefox"),
  open: openFirefox,
});
