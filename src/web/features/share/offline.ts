// Caches the complete client for offline use when the page is idle.

/** Time after which the first views are loaded. */
const IDLE_MS = 5000;

/** All parts of the client, including those not used yet, for use without a network. */
export function precacheForOffline(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!("serviceWorker" in navigator) || connection?.saveData) return;
  const ask = ({ active }: ServiceWorkerRegistration) => active?.postMessage({ kind: "keep" });
  void navigator.serviceWorker.ready.then((ready) => setTimeout(() => ask(ready), IDLE_MS));
}
