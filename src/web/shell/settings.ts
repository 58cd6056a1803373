// Applies the user's settings to the page: color scheme, font size, time format, language.
import { invalidate } from "../store/store.ts";
import { setClock } from "../words/dates.ts";
import { setLanguage, baseOf } from "../words/words.ts";

const SCHEMES: Readonly<Record<number, string>> = { 2: "dark", 3: "light" };
const FONT_PIXELS = 16;
const RIGHT_TO_LEFT = ["ar", "fa", "he", "ur"];

export function applySettings(settings: Readonly<Record<string, unknown>>): void {
  const root = document.documentElement;
  const scheme = SCHEMES[Number(settings["color_scheme"])];
  if (scheme === undefined) delete root.dataset["scheme"];
  else root.dataset["scheme"] = scheme;
  const size = Number(settings["web_font_size_px"]) || FONT_PIXELS;
  root.style.setProperty("font-size", `${(size / FONT_PIXELS) * 100}%`);
  const line = Number(settings["web_line_height_percent"]) || 140;
  root.style.setProperty("--line-height", `${line / 100}`);
  root.toggleAttribute("data-contrast", settings["high_contrast_mode"] === true);
  root.toggleAttribute("data-fluid", settings["fluid_layout_width"] === true);
  const language = String(settings["default_language"] ?? "en");
  root.lang = language;
  root.dir = RIGHT_TO_LEFT.includes(baseOf(language)) ? "rtl" : "ltr";
  // Elements that are not rendered by a view are updated like after a change.
  void setLanguage(language).then((isOther) => isOther && invalidate(["words"]));
  const zone = String(settings["timezone"] ?? "");
  setClock({
    language,
    zone: zone === "" ? undefined : zone,
    hour12: settings["twenty_four_hour_time"] === false,
  });
}
