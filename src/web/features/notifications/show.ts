// Shows notifications and takes them away: by the service worker, which outlives the page, where
// there is one, and else by the page alone.
import { type Card, cardOf, grown, type News, shownAs, tagOf } from "./card.ts";

type Shown = Pick<Notification, "close" | "tag" | "data">;

/** Of this page, where there is no worker. */
const own = new Map<string, Notification>();

export const maySay = (): boolean =>
  "Notification" in globalThis && Notification.permission === "granted";

/** `isSilent`: the system is to make no sound of its own. */
export async function show(news: readonly News[], isSilent: boolean): Promise<void> {
  const last = news.at(-1);
  if (!last || !maySay()) return;
  const worker = await workerNow();
  const tag = tagOf(last);
  const before = (await shownIn(worker)).find((one) => one.tag === tag);
  let card: Card | undefined = before && cardOf(before);
  for (const one of news) card = grown(card, one);
  const [title, options] = shownAs(card!, { icon: last.icon, at: last.at, isSilent });
  if (worker) return worker.showNotification(title, options);
  const shown = new Notification(title, options);
  own.set(tag, shown);
  shown.addEventListener("close", () => own.get(tag) === shown && own.delete(tag));
  shown.addEventListener("click", () => {
    window.focus();
    shown.close();
    openAddress(card!.address);
  });
}

/** Shows a notification that is of no message. */
export async function showPlainly(title: string, body: string): Promise<void> {
  const [worker, options] = [await workerNow(), { body, tag: "skein test" }];
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options);
}

/** Those of whose messages none is left to be told of. */
export async function withdraw(isOver: (card: Card) => boolean): Promise<void> {
  if (!maySay()) return;
  for (const shown of await shownIn(await workerNow())) {
    const card = cardOf(shown);
    if (card && isOver(card)) shown.close();
  }
}

export function openAddress(address: string): void {
  if (address !== "") location.hash = address;
}

async function shownIn(worker: ServiceWorkerRegistration | undefined): Promise<Shown[]> {
  return worker ? worker.getNotifications() : [...own.values()];
}

async function workerNow(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  const found = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  return found?.active ? found : undefined;
}
