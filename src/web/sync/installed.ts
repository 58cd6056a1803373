// Lets the browser keep the client itself, so that it starts without a network.
import { scriptAt } from "../trusted.ts";

/** By then the first views are there. */
const IDLE_MS = 5000;

/** All parts of the client, and not only those that were shown: for when there is no network. */
export function keepForOffline(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!("serviceWorker" in navigator) || connection?.saveData) return;
  const ask = ({ active }: ServiceWorkerRegistration) => active?.postMessage({ kind: "keep" });
  void navigator.serviceWorker.ready.then((ready) => setTimeout(() => ask(ready), IDLE_MS));
}

/** After the page is shown: it must not wait for what is there for the next time. */
export function startWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  const register = () =>
    navigator.serviceWorker.register(scriptAt("/sw.js")).catch(() => undefined);
  if (document.readyState === "complete") void register();
  else window.addEventListener("load", () => void register(), { once: true });
}
