// Installs the service worker, so that the client starts without a network.
import { scriptAt } from "../trusted-types.ts";

/** Called after the page is displayed, because it only benefits the next start. */
export function startWorker(): void {
  if ("serviceWorker" in navigator) void installWorker().catch(() => undefined);
}

/** Throws if the browser rejects it; an installed worker stays. */
export const installWorker = () => navigator.serviceWorker.register(scriptAt("/sw.js"));
