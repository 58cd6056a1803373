// Offers push notifications on a phone once, since nothing else reaches its user there.
import { isBoolean, deviceSetting } from "../../device-storage.ts";
import { go } from "../../store/address.ts";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { canPush, enablePush } from "./push.ts";

const OFFER_MS = 20_000;
const isOffered = deviceSetting("push-offered", false, isBoolean);

/** The browser asks for the permission only when the user accepts. */
export function offerPush(): void {
  if (isOffered.peek() || !canPush() || Notification.permission !== "default") return;
  isOffered.value = true;
  showToast({
    text: t("push-offer"),
    undoLabel: t("notify-turn-on"),
    undo: () => void turnOn(),
    ms: OFFER_MS,
  });
}

async function turnOn(): Promise<void> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") return explainRefusal(permission);
  try {
    await enablePush();
    showToast({ text: t("try-push") });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    showToast({ text: t("notify-push-failed", { reason }), isAlert: true });
  }
}

/** Tells the user where to allow notifications later. Does nothing if they are allowed. */
export function explainRefusal(permission: NotificationPermission): void {
  if (permission === "granted") return;
  // The settings cannot undo a denial: only the browser can.
  const text = t(permission === "denied" ? "notify-denied" : "notify-later");
  showToast({ text, undoLabel: t("settings"), undo: toSettings, ms: OFFER_MS });
}

const toSettings = () =>
  go({ kind: "page", page: "settings", path: ["notifications", "push-here"] });
