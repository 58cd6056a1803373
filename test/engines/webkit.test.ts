// A person's day in WebKit, Safari's engine.
import { countOf } from "../long.ts";
import { daysIn } from "./days.ts";
import { openWebKit } from "./webkit.ts";

daysIn({
  name: "WebKit",
  packages: "webkit2gtk-driver xvfb",
  days: countOf("webkit"),
  open: openWebKit,
});
