// Syncs Do Not Disturb with the server, for all devices and so that it sends no pushes.
import { batch, effect } from "@preact/signals";
import { subscribe, maybeState } from "../../store/store.ts";
import { changeOwnSetting } from "../settings/actions.ts";
import { chosenQuiet, quiet } from "./quiet.ts";
import { NEVER_QUIET, type Quiet, isQuietSetting } from "./quiet-hours-rules.ts";

export function syncQuiet(): void {
  effect(() => {
    const localQuiet = chosenQuiet.value;
    if (localQuiet) batch(() => send(localQuiet));
  });
  // Runs after the local change, because that is newer.
  effect(() => {
    subscribe("setting:do_not_disturb_until", "setting:do_not_disturb_hours");
    const settings = maybeState()?.settings.settings;
    if (!settings) return;
    const until = Number(settings["do_not_disturb_until"] ?? 0);
    const hours = String(settings["do_not_disturb_hours"] ?? "");
    const localQuiet = quiet.peek();
    if (until === secondsOf(localQuiet) && hours === hoursOf(localQuiet)) return;
    const [from = "", to = ""] = hours.split("-");
    const remote = { until: until * 1000, hours: hours === "" ? null : { from, to } };
    quiet.value = isQuietSetting(remote) ? remote : NEVER_QUIET;
  });
}

function send(newQuiet: Quiet): void {
  const hours = hoursOf(newQuiet);
  // The server uses the account's time zone, not this device's.
  if (hours !== "" && maybeState()?.settings.settings["timezone"] === "") {
    changeOwnSetting("timezone", Intl.DateTimeFormat().resolvedOptions().timeZone);
  }
  changeOwnSetting("do_not_disturb_hours", hours);
  changeOwnSetting("do_not_disturb_until", secondsOf(newQuiet));
}

const secondsOf = ({ until }: Quiet): number => Math.ceil(until / 1000);
const hoursOf = ({ hours }: Quiet): string => (hours ? `${hours.from}-${hours.to}` : "");
