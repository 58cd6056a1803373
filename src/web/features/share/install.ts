// Installing the client as an app of the device, where the browser offers that.
import { signal } from "@preact/signals";

/** Chromium's install prompt event, which is not in any standard. */
interface Offer extends Event {
  prompt(): Promise<{ outcome: "accepted" | "dismissed" }>;
}

const offer = signal<Offer | undefined>(undefined);

/** "ask": a button will do; "menu": the browser's own menu has it; "is": it is installed. */
export type Installing = "ask" | "menu" | "is" | "none";

export function listenForOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    // The prompt is offered in the settings instead.
    event.preventDefault();
    offer.value = event as Offer;
  });
  addEventListener("appinstalled", () => (offer.value = undefined));
}

export function installing(): Installing {
  if (isInstalled()) return "is";
  if (offer.value) return "ask";
  // Safari tells nobody, and can.
  return "standalone" in navigator ? "menu" : "none";
}

export const isInstalled = (): boolean =>
  matchMedia("(display-mode: standalone)").matches ||
  (navigator as { standalone?: boolean }).standalone === true;

export async function install(): Promise<void> {
  const asked = offer.peek();
  // A browser lets it be asked once.
  offer.value = undefined;
  await asked?.prompt();
}
