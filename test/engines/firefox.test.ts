// A person's days in Firefox.
import { countOf } from "../long.ts";
import { daysIn } from "./days.ts";
import { openFirefox } from "./firefox.ts";

daysIn({
  name: "Firefox",
  packages: "firefox-esr",
  days: countOf("firefox"),
  open: openFirefox,
});
