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
const ownNotifications = new Map<string, Notification>();

export const canShowNotifications = (): boolean =>
  "Notification" in globalThis && Notification.permission === "granted";

/** `isSilent`: without the system's own sound. */
export async function show(
  newMessages: readonly NotificationMessage[],
  isSilent: boolean,
): Promise<void> {
  const last = newMessages.at(-1);
  if (!last || !canShowNotifications()) return;
  const worker = await workerNow();
  const tag = tagOf(last);
  const before = (await shownIn(worker)).find((candidate) => candidate.tag === tag);
  const data = before && cardOf(before);
  let card = data;
  for (const message of newMessages) card = withMessage(card, message);
  // A push has displayed it already.
  if (!card || card === data) return;
  const [title, options] = shownAs(card, { icon: last.icon, at: last.at, isSilent });
  await put(worker, title, options);
}

type Put = [title: string, options: NotificationOptions];

async function put(
  worker: ServiceWorkerRegistration | undefined,
  ...[title, options]: Put
): Promise<void> {
  if (worker) return worker.showNotification(title, options);
  const notification = new Notification(title, options);
  const { tag } = notification;
  ownNotifications.set(tag, notification);
  notification.addEventListener(
    "close",
    () => ownNotifications.get(tag) === notification && ownNotifications.delete(tag),
  );
  notification.addEventListener("click", () => {
    window.focus();
    notification.close();
    openAddress(cardOf(notification)?.address ?? "");
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
  isRead: (message_id: number) => boolean,
): Promise<void> {
  if (!canShowNotifications()) return;
  const worker = await workerNow();
  for (const notification of await shownIn(worker)) {
    const card = cardOf(notification);
    if (!card || (user_id !== undefined && card.user_id !== user_id)) continue;
    const remaining = withoutRead(card, isRead);
    if (remaining === card) continue;
    notification.close();
    if (remaining) await put(worker, ...shownAgain(notification, remaining));
  }
}

export function openAddress(address: string): void {
  if (address !== "") location.hash = address;
}

async function shownIn(
  worker: ServiceWorkerRegistration | undefined,
): Promise<ShownNotification[]> {
  return worker ? worker.getNotifications() : [...ownNotifications.values()];
}

async function workerNow(): Promise<ServiceWorkerRegistration | undefined> {
  if (!("serviceWorker" in navigator)) return undefined;
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  return registration?.active ? registration : undefined;
}
