// Lets the browser keep the client itself, so that it starts without a network.
import { scriptAt } from "../trusted.ts";

/** After the page is shown: it must not wait for what is there for the next time. */
export function startWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  const register = () => installWorker().catch(() => undefined);
  if (document.readyState === "complete") void register();
  else window.addEventListener("load", () => void register(), { once: true });
}

/** Throws why the browser does not take it; one that is there stays. */
export const installWorker = () => navigator.serviceWorker.register(scriptAt("/sw.js"));
