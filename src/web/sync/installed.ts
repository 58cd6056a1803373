// Lets the browser keep the client itself, so that it starts without a network.
import { scriptAt } from "../trusted.ts";

/** After the page is shown: it must not wait for what is there for the next time. */
export function startWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  const register = () =>
    navigator.serviceWorker.register(scriptAt("/sw.js")).catch(() => undefined);
  if (document.readyState === "complete") void register();
  else window.addEventListener("load", () => void register(), { once: true });
}
