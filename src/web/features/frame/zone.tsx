// Offers to change the account's time zone where the device is in another, and does not insist.
import { keyed, known } from "../../live.ts";
import { isText, ofDevice } from "../../device.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { changeOwnSetting, undoSetting } from "../settings/actions.ts";

/** The zones for which somebody said "not now": of the account, and of the device. */
const declined = ofDevice("zone-declined", "", isText);

export function ZoneOffer() {
  keyed("setting:timezone", "setting:web_suggest_update_timezone");
  // Spectators have no account.
  const settings = known()?.settings.settings;
  const account = String(settings?.["timezone"] ?? "");
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const both = `${account} ${device}`;
  const isWanted = settings?.["web_suggest_update_timezone"] === true && account !== "";
  if (!isWanted || declined.value === both || isSameTime(account, device)) return null;
  return (
    <p class="conversation-hint">
      <span>{say("zone-differs", { account: shown(account), device: shown(device) })}</span>
      <button type="button" onClick={() => change(device)}>
        {say("zone-change")}
      </button>
      <button type="button" onClick={() => (declined.value = both)}>
        {say("not-now")}
      </button>
    </p>
  );
}

function change(zone: string): void {
  changeOwnSetting("timezone", zone);
  showToast({ words: say("zone-changed", { zone: shown(zone) }), undo: undoSetting });
}

const shown = (zone: string): string => zone.replaceAll("_", " ");

/** The clocks are what matters: many zones differ in nothing but their names. */
function isSameTime(one: string, other: string): boolean {
  const at = new Date();
  const [a, b] = [one, other].map((timeZone) => at.toLocaleString("en", { timeZone }));
  return a === b;
}
