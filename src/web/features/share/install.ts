// Installs the client as an app, if the browser supports it.
import { signal } from "@preact/signals";
import type { Event as ServerEvent } from "../../contract/snapshot.ts";
import { isBoolean, deviceSetting } from "../../device-storage.ts";
import { sync } from "../../sync/session.ts";
import { showToast } from "../../ui/toast.tsx";
import { hasTouchScreen } from "../../touch-screen.ts";
import { t } from "../../words/words.ts";

/** Chromium's install prompt event, which is not in any standard. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

const offer = signal<InstallPromptEvent | undefined>(undefined);

/** "ask": a button can install it; "menu": only the browser's menu can; "is": it is installed. */
export type InstallState = "ask" | "menu" | "is" | "none";

export function listenForOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    // The prompt is offered in the settings, and once after the first message.
    event.preventDefault();
    offer.value = event as InstallPromptEvent;
  });
  addEventListener("appinstalled", () => (offer.value = undefined));
  sync.listen(explainOnce);
}

const isExplained = deviceSetting("install-explained", false, isBoolean);
const EXPLAINED_MS = 20_000;

/** Whether the user has sent a message from this browser. */
export const isSent = (events: readonly ServerEvent[]): boolean =>
  events.some((event) => event.type === "message" && event.local_message_id !== undefined);

/** Whether the next sent message explains how to install the client. */
export const willExplainInstall = (): boolean =>
  !isExplained.peek() && hasTouchScreen() && /ask|menu/.test(installing());

/** Explains on a phone how to install the client, once, when the user has sent a message. */
function explainOnce(events: readonly ServerEvent[]): void {
  if (!willExplainInstall() || !isSent(events)) return;
  const state = installing();
  isExplained.value = true;
  const ask = { undoLabel: t("install-now"), undo: () => void install() };
  const text = t(state === "ask" ? "install-hint" : "install-by-menu");
  showToast({ text, ...(state === "ask" && ask), ms: EXPLAINED_MS });
}

export function installing(): InstallState {
  if (isInstalled()) return "is";
  if (offer.value) return "ask";
  // Safari has no event for this, but supports installing from its menu.
  return "standalone" in navigator ? "menu" : "none";
}

const isInstalled = (): boolean =>
  matchMedia("(display-mode: standalone)").matches ||
  ("standalone" in navigator && navigator.standalone === true);

export async function install(): Promise<void> {
  const prompt = offer.peek();
  // Browsers accept one call of each prompt.
  offer.value = undefined;
  await prompt?.prompt();
}
