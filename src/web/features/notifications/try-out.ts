// Tries notifications out, step by step, each with what really came of it.
import { type Signal } from "@preact/signals";
import { tryPush } from "../../api/push-calls.ts";
import { sync } from "../../here.ts";
import { now } from "../../live.ts";
import { say, type Word } from "../../words/words.ts";
import { lookAtPushes } from "./push.ts";
import { isQuietNow } from "./quiet.ts";
import { maySay, showPlainly } from "./show.ts";
import { sound } from "./sound.ts";

/** "late": it was not heard of in time, and may still come. */
type State = "ok" | "failed" | "waiting" | "late" | "off";

export interface Step {
  readonly words: Word;
  readonly state: State;
  /** The reason in the answer. */
  readonly reason?: string | undefined;
}

/** A push service hands on within seconds. */
const ARRIVES_MS = 20_000;

export async function tryOut(steps: Signal<readonly Step[]>): Promise<void> {
  const tell = (words: Word, state: State, reason?: string) => {
    const others = steps.value.filter((step) => step.words !== words);
    steps.value = [...others, { words, state, reason }];
  };
  steps.value = [];
  tell("try-permission", maySay() ? "ok" : "failed", maySay() ? undefined : whyNot());
  // The test comes all the same; messages would not.
  if (isQuietNow()) tell("try-quiet", "off", say("why-quiet"));
  if (maySay()) await tryScreen(tell);
  await trySound(tell);
  if (maySay()) await tryServer(tell);
}

type Tell = (words: Word, state: State, reason?: string) => void;

function whyNot(): string {
  if (!("Notification" in globalThis) || !isSecureContext) return say("notify-insecure");
  return say(Notification.permission === "denied" ? "notify-denied" : "notify-not-asked");
}

async function tryScreen(tell: Tell): Promise<void> {
  try {
    await showPlainly(say("try-title"), say("try-body"));
    tell("try-screen", "ok");
  } catch (error) {
    tell("try-screen", "failed", String(error));
  }
}

async function trySound(tell: Tell): Promise<void> {
  const name = String(now().settings.settings["notification_sound"]);
  if (name === "none") return tell("try-sound", "off");
  const isHeard = await sound(name).catch(() => false);
  tell("try-sound", isHeard ? "ok" : "failed");
}

async function tryServer(tell: Tell): Promise<void> {
  const { here } = await lookAtPushes();
  if (!here) return tell("try-push", "off");
  const arrived = arrival();
  tell("try-sent", "waiting");
  try {
    const { is_taken, reason } = await tryPush(sync, { push_subscription_id: here.id });
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

/** The service worker says so; it may be long after. */
function arrival(): Promise<void> {
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener("message", function hear({ data }) {
      if ((data as { kind?: string } | null)?.kind !== "test-pushed") return;
      navigator.serviceWorker.removeEventListener("message", hear);
      resolve();
    });
  });
}
