// Syncs Do Not Disturb with the server, for all devices and so that it sends no pushes.
import { batch, effect } from "@preact/signals";
import { subscribe, maybeState } from "../../store/store.ts";
import { changeOwnSetting } from "../settings/actions.ts";
import { chosenDoNotDisturb, doNotDisturb } from "./do-not-disturb.ts";
import {
  DO_NOT_DISTURB_OFF,
  type DoNotDisturb,
  isDoNotDisturbSetting,
} from "./do-not-disturb-rules.ts";

export function syncDoNotDisturb(): void {
  effect(() => {
    const localSetting = chosenDoNotDisturb.value;
    if (localSetting) batch(() => send(localSetting));
  });
  // Runs after the local change, because that is newer.
  effect(() => {
    subscribe("setting:do_not_disturb_until", "setting:do_not_disturb_hours");
    const settings = maybeState()?.settings.settings;
    if (!settings) return;
    const until = Number(settings["do_not_disturb_until"] ?? 0);
    const hours = String(settings["do_not_disturb_hours"] ?? "");
    const localSetting = doNotDisturb.peek();
    if (until === secondsOf(localSetting) && hours === hoursOf(localSetting)) return;
    const [from = "", to = ""] = hours.split("-");
    const remote = { until: until * 1000, hours: hours === "" ? null : { from, to } };
    doNotDisturb.value = isDoNotDisturbSetting(remote) ? remote : DO_NOT_DISTURB_OFF;
  });
}

function send(newQuiet: DoNotDisturb): void {
  const hours = hoursOf(newQuiet);
  // The server uses the account's time zone, not this device's.
  if (hours !== "" && maybeState()?.settings.settings["timezone"] === "") {
    changeOwnSetting("timezone", Intl.DateTimeFormat().resolvedOptions().timeZone);
  }
  changeOwnSetting("do_not_disturb_hours", hours);
  changeOwnSetting("do_not_disturb_until", secondsOf(newQuiet));
}

const secondsOf = ({ until }: DoNotDisturb): number => Math.ceil(until / 1000);
const hoursOf = ({ hours }: DoNotDisturb): string => (hours ? `${hours.from}-${hours.to}` : "");
