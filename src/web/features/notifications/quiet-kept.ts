// The server keeps when one is not to be disturbed: for all devices, and so that it pushes nothing.
import { batch, effect } from "@preact/signals";
import { keyed, known } from "../../live.ts";
import { changeOwnSetting } from "../settings/actions.ts";
import { chosenQuiet, quiet } from "./quiet.ts";
import { NEVER_QUIET, type Quiet, isQuietSetting } from "./quiet-hours.ts";

export function keepQuietEverywhere(): void {
  effect(() => {
    const chosen = chosenQuiet.value;
    if (chosen) batch(() => keep(chosen));
  });
  // After it, as what was just chosen is the newer.
  effect(() => {
    keyed("setting:do_not_disturb_until", "setting:do_not_disturb_hours");
    const settings = known()?.settings.settings;
    if (!settings) return;
    const until = Number(settings["do_not_disturb_until"] ?? 0);
    const hours = String(settings["do_not_disturb_hours"] ?? "");
    const here = quiet.peek();
    if (until === secondsOf(here) && hours === hoursOf(here)) return;
    const [from = "", to = ""] = hours.split("-");
    const kept = { until: until * 1000, hours: hours === "" ? null : { from, to } };
    quiet.value = isQuietSetting(kept) ? kept : NEVER_QUIET;
  });
}

function keep(chosen: Quiet): void {
  const hours = hoursOf(chosen);
  // The server has no clock of this device's, and goes by the account's.
  if (hours !== "" && known()?.settings.settings["timezone"] === "") {
    changeOwnSetting("timezone", Intl.DateTimeFormat().resolvedOptions().timeZone);
  }
  changeOwnSetting("do_not_disturb_hours", hours);
  changeOwnSetting("do_not_disturb_until", secondsOf(chosen));
}

const secondsOf = ({ until }: Quiet): number => Math.ceil(until / 1000);
const hoursOf = ({ hours }: Quiet): string => (hours ? `${hours.from}-${hours.to}` : "");
