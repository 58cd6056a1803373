// Tests notifications step by step, with the actual result of each step.
import { type Signal } from "@preact/signals";
import { testPush } from "../../api/push-calls.ts";
import { sync } from "../../sync/session.ts";
import { now } from "../../store/store.ts";
import { t, type TextKey } from "../../words/words.ts";
import { fetchPushState } from "./push.ts";
import { isQuietNow } from "./quiet.ts";
import { canShowNotifications, showPlainNotification } from "./show.ts";
import { sound } from "./sound.ts";

/** "late": it did not arrive in time, but still may. */
type StepState = "ok" | "failed" | "waiting" | "late" | "off";

export interface TryOutStep {
  readonly words: TextKey;
  readonly state: StepState;
  /** The reason in the response. */
  readonly reason?: string | undefined;
}

/** Push services usually deliver within seconds. */
const ARRIVES_MS = 20_000;

export async function tryOut(steps: Signal<readonly TryOutStep[]>): Promise<void> {
  const tell = (words: TextKey, state: StepState, reason?: string) => {
    const others = steps.value.filter((step) => step.words !== words);
    steps.value = [...others, { words, state, reason }];
  };
  steps.value = [];
  tell(
    "try-permission",
    canShowNotifications() ? "ok" : "failed",
    canShowNotifications() ? undefined : whyNot(),
  );
  // The test notification is displayed anyway, unlike notifications of messages.
  if (isQuietNow()) tell("try-quiet", "off", t("why-quiet"));
  if (canShowNotifications()) await tryScreen(tell);
  await trySound(tell);
  if (canShowNotifications()) await tryServer(tell);
}

type ReportStep = (words: TextKey, state: StepState, reason?: string) => void;

function whyNot(): string {
  if (!("Notification" in globalThis) || !isSecureContext) return t("notify-insecure");
  return t(Notification.permission === "denied" ? "notify-denied" : "notify-not-asked");
}

async function tryScreen(tell: ReportStep): Promise<void> {
  try {
    await showPlainNotification(t("try-title"), t("try-body"));
    tell("try-screen", "ok");
  } catch (error) {
    tell("try-screen", "failed", String(error));
  }
}

async function trySound(tell: ReportStep): Promise<void> {
  const name = String(now().settings.settings["notification_sound"]);
  if (name === "none") return tell("try-sound", "off");
  const isHeard = await sound(name).catch(() => false);
  tell("try-sound", isHeard ? "ok" : "failed");
}

async function tryServer(tell: ReportStep): Promise<void> {
  const { thisDevice } = await fetchPushState();
  if (!thisDevice) return tell("try-push", "off");
  const arrived = arrival();
  tell("try-sent", "waiting");
  try {
    const { is_taken, reason } = await testPush(sync, { push_subscription_id: thisDevice.id });
    tell("try-sent", is_taken ? "ok" : "failed", reason ?? undefined);
    if (!is_taken) return;
  } catch (error) {
    return tell("try-sent", "failed", String(error));
  }
  tell("try-arrived", "waiting");
  const late = setTimeout(() => tell("try-arrived", "late"), ARRIVES_MS);
  await arrived;
  clearTimeout(late);
  tell("try-arrived", "ok");
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
