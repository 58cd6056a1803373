// A user's day in WebKit, Safari's engine.
import { countOf } from "../repetitions.ts";
import { runScenarioIn } from "./run-scenario.ts";
import { openWebKit } from "./webkit.ts";

runScenarioIn({
  name: "WebKit",
  packages: "webkit2gtk-driver xvfb",
  days: countOf("webkit"),
  open: openWebKit,
});
