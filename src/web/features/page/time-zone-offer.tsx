// Offers to change the account's time zone if the device's is different.
import { subscribe, maybeState } from "../../store/store.ts";
import { isText, deviceSetting } from "../../device-storage.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { changeOwnSetting, undoSetting } from "../settings/actions.ts";

/** The account's and device's zones for which the user selected "Not now". */
const declined = deviceSetting("zone-declined", "", isText);

export function ZoneOffer() {
  subscribe("setting:timezone", "setting:web_suggest_update_timezone");
  // Spectators have no account.
  const settings = maybeState()?.settings.settings;
  const account = String(settings?.["timezone"] ?? "");
  const device = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const dismissKey = `${account} ${device}`;
  const isWanted = settings?.["web_suggest_update_timezone"] === true && account !== "";
  if (!isWanted || declined.value === dismissKey || isSameTime(account, device)) return null;
  return (
    <p class="conversation-hint">
      <span>{t("zone-differs", { account: zoneLabel(account), device: zoneLabel(device) })}</span>
      <button type="button" onClick={() => changeTimeZone(device)}>
        {t("zone-change")}
      </button>
      <button type="button" onClick={() => (declined.value = dismissKey)}>
        {t("not-now")}
      </button>
    </p>
  );
}

function changeTimeZone(zone: string): void {
  changeOwnSetting("timezone", zone);
  showToast({ text: t("zone-changed", { zone: zoneLabel(zone) }), undo: undoSetting });
}

const zoneLabel = (zone: string): string => zone.replaceAll("_", " ");

/** Compares offsets, because many zones differ only in their names. */
function isSameTime(first: string, other: string): boolean {
  const now = new Date();
  const [a, b] = [first, other].map((timeZone) => now.toLocaleString("en", { timeZone }));
  return a === b;
}
