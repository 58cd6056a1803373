// Tests notifications step by step, with the actual result of each step.
import { type Signal } from "@preact/signals";
import { testPush } from "../../api/push-calls.ts";
import { sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import { t, type TextKey } from "../../words/words.ts";
import { fetchPushState } from "./push.ts";
import { isDoNotDisturbOn } from "./do-not-disturb.ts";
import { canShowNotifications, showPlainNotification } from "./show.ts";
import { playSound } from "./sound.ts";

/** "late": it did not arrive in time, but still may. */
type StepState = "ok" | "failed" | "waiting" | "late" | "off";

export interface TryOutStep {
  readonly textKey: TextKey;
  readonly state: StepState;
  /** The reason in the response. */
  readonly reason?: string | undefined;
}

/** Push services usually deliver within seconds. */
const ARRIVES_MS = 20_000;

export async function tryOut(steps: Signal<readonly TryOutStep[]>): Promise<void> {
  const report = (textKey: TextKey, state: StepState, reason?: string) => {
    const others = steps.value.filter((step) => step.textKey !== textKey);
    steps.value = [...others, { textKey, state, reason }];
  };
  steps.value = [];
  report(
    "try-permission",
    canShowNotifications() ? "ok" : "failed",
    canShowNotifications() ? undefined : silenceReason(),
  );
  // The test notification is displayed anyway, unlike notifications of messages.
  if (isDoNotDisturbOn()) report("try-quiet", "off", t("why-quiet"));
  if (canShowNotifications()) await tryScreen(report);
  await trySound(report);
  if (canShowNotifications()) await tryServer(report);
}

type ReportStep = (textKey: TextKey, state: StepState, reason?: string) => void;

function silenceReason(): string {
  if (!("Notification" in globalThis) || !isSecureContext) return t("notify-insecure");
  return t(Notification.permission === "denied" ? "notify-denied" : "notify-not-asked");
}

async function tryScreen(report: ReportStep): Promise<void> {
  try {
    await showPlainNotification(t("try-title"), t("try-body"));
    report("try-screen", "ok");
  } catch (error) {
    report("try-screen", "failed", String(error));
  }
}

async function trySound(report: ReportStep): Promise<void> {
  const name = String(getState().settings.settings["notification_sound"]);
  if (name === "none") return report("try-sound", "off");
  const isPlayed = await playSound(name).catch(() => false);
  report("try-sound", isPlayed ? "ok" : "failed");
}

async function tryServer(report: ReportStep): Promise<void> {
  const { thisDevice } = await fetchPushState();
  if (!thisDevice) return report("try-push", "off");
  const arrived = arrival();
  report("try-sent", "waiting");
  try {
    const { is_taken, reason } = await testPush(sync, { push_subscription_id: thisDevice.id });
    report("try-sent", is_taken ? "ok" : "failed", reason ?? undefined);
    if (!is_taken) return;
  } catch (error) {
    return report("try-sent", "failed", String(error));
  }
  report("try-arrived", "waiting");
  const timeout = setTimeout(() => report("try-arrived", "late"), ARRIVES_MS);
  await arrived;
  clearTimeout(timeout);
  report("try-arrived", "ok");
}

/** The service worker reports the arrival, possibly much later. */
function arrival(): Promise<void> {
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("message", function hear({ data }) {
      if (data?.kind !== "test-pushed") return;
      navigator.serviceWorker.removeEventListener("message", hear);
      resolve();
    });
  });
}
