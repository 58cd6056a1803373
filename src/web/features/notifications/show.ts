// Displays and closes notifications, through the service worker if there is one.
import {
  cardOf,
  withMessage,
  type NotificationMessage,
  shownAgain,
  shownAs,
  withoutRead,
  tagOf,
} from "./content.ts";

type ShownNotification = Pick<Notification, "close" | "tag" | "data" | "icon">;

/** Notifications of this page, if there is no worker. */
const own = new Map<string, Notification>();

export const canShowNotifications = (): boolean =>
  "Notification" in globalThis && Notification.permission === "granted";

/** `isSilent`: without the system's own sound. */
export async function show(news: readonly NotificationMessage[], isSilent: boolean): Promise<void> {
  const last = news.at(-1);
  if (!last || !canShowNotifications()) return;
  const worker = await workerNow();
  const tag = tagOf(last);
  const before = (await shownIn(worker)).find((one) => one.tag === tag);
  const known = before && cardOf(before);
  let card = known;
  for (const one of news) card = withMessage(card, one);
  // A push has displayed it already.
  if (!card || card === known) return;
  const [title, options] = shownAs(card, { icon: last.icon, at: last.at, isSilent });
  await put(worker, title, options);
}

type Put = [title: string, options: NotificationOptions];

async function put(
  worker: ServiceWorkerRegistration | undefined,
  ...[title, options]: Put
): Promise<void> {
  if (worker) return worker.showNotification(title, options);
  const shown = new Notification(title, options);
  const { tag } = shown;
  own.set(tag, shown);
  shown.addEventListener("close", () => own.get(tag) === shown && own.delete(tag));
  shown.addEventListener("click", () => {
    window.focus();
    shown.close();
    openAddress(cardOf(shown)?.address ?? "");
  });
}

/** Displays a notification that does not belong to a message. */
export async function showPlainNotification(title: string, body: string): Promise<void> {
  const [worker, options] = [await workerNow(), { body, tag: "skein test" }];
  if (worker) await worker.showNotification(title, options);
  else new Notification(title, options);
}

/** Removes the messages from displayed notifications, which close with their last message. */
export async function closeNotifications(
  user_id: number | undefined,
  isOver: (message_id: number) => boolean,
): Promise<void> {
  if (!canShowNotifications()) return;
  const worker = await workerNow();
  for (const shown of await shownIn(worker)) {
    const card = cardOf(shown);
    if (!card || (user_id !== undefined && card.user_id !== user_id)) continue;
    const remaining = withoutRead(card, isOver);
    if (remaining === card) continue;
    shown.close();
    if (remaining) await put(worker, ...shownAgain(shown, remaining));
  }
}

export function openAddress(address: string): void {
  if (address !== "") location.hash = address;
}

async function shownIn(
  worker: ServiceWorkerRegistration | undefined,
): Promise<ShownNotification[]> {
  return worker ? worker.getNotifications() : [...own.values()];
}

async function workerNow(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  const found = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  return found?.active ? found : undefined;
}
