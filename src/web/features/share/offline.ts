// Has the browser keep the whole client, once nothing else is to be done.

/** By then the first views are there. */
const IDLE_MS = 5000;

/** All parts of the client, and not only those that were shown: for when there is no network. */
export function keepForOffline(): void {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!("serviceWorker" in navigator) || connection?.saveData) return;
  const ask = ({ active }: ServiceWorkerRegistration) => active?.postMessage({ kind: "keep" });
  void navigator.serviceWorker.ready.then((ready) => setTimeout(() => ask(ready), IDLE_MS));
}
