// Lets the browser keep the client itself, so that it starts without a network.
import { scriptAt } from "../trusted.ts";

/** Once the page is shown: that must not wait for what is there for the next time. */
export function startWorker(): void {
  if ("serviceWorker" in navigator) void installWorker().catch(() => undefined);
}

/** Throws why the browser does not take it; one that is there stays. */
export const installWorker = () => navigator.serviceWorker.register(scriptAt("/sw.js"));
