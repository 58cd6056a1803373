// Displays pushes while no tab is open, and opens their messages on click.
import { parseUrl } from "../../text/input/parse-url.ts";
import {
  cardOf,
  withMessage,
  type NotificationMessage,
  shownAgain,
  shownAs,
  withoutRead,
  tagOf,
} from "../features/notifications/content.ts";
import {
  isDoNotDisturbAt,
  isDoNotDisturbSetting,
  DO_NOT_DISTURB_CACHE,
  DO_NOT_DISTURB_PATH,
} from "../features/notifications/do-not-disturb-rules.ts";

declare const self: ServiceWorkerGlobalScope;
const worker = self;

/** The payload that the server pushes. */
interface Pushed {
  readonly type: "message" | "remove" | "test";
  readonly user_id: number;
  readonly title?: string;
  readonly body?: string;
  readonly url?: string;
  readonly message_id?: number;
  /** When the message was sent, in seconds since 1970. */
  readonly timestamp?: number;
  readonly message_ids?: readonly number[];
  readonly withdrawn_message_ids?: readonly number[];
}

const TEST_TAG = "skein test";

let line: Promise<void> = Promise.resolve();
/** Runs in sequence, so that a second click uses the tab opened by the first. */
let clicks: Promise<void> = Promise.resolve();
/** Addresses to open, by tab id, for tabs that are still loading and ask later. */
const sent = new Map<string, string>();

export function listenForPushes(): void {
  worker.addEventListener("push", (event) => {
    const push: Pushed | undefined = event.data?.json();
    // Runs in sequence, because each push adds to the displayed notifications.
    const step = () => onPush(push);
    line = line.then(step, step);
    event.waitUntil(line);
  });
  worker.addEventListener("notificationclick", (event) => {
    const { notification } = event;
    notification.close();
    const step = () => open(cardOf(notification)?.address ?? "");
    clicks = clicks.then(step, step);
    event.waitUntil(clicks);
  });
  worker.addEventListener("message", ({ data, source }) => {
    if (data?.kind !== "hears" || !(source instanceof Client)) return;
    const address = sent.get(source.id);
    if (address !== undefined) source.postMessage({ kind: "open", address });
  });
  worker.addEventListener("pushsubscriptionchange", (event) => {
    event.waitUntil(renew(event));
  });
}

async function onPush(push: Pushed | undefined): Promise<void> {
  if (push?.type === "message") await showMessage(push);
  else if (push?.type === "test") await showTest(push);
  else if (push?.type === "remove") await closePushed(push.user_id, push.message_ids ?? []);
}

async function showMessage(push: Pushed): Promise<void> {
  const { user_id, withdrawn_message_ids = [] } = push;
  await closePushed(user_id, withdrawn_message_ids);
  // Visible tabs notify by themselves.
  const windows = await windowClients();
  if (windows.some((window) => window.focused && isClient(window))) return;
  const newMessage = newsOf(push);
  const [before] = await worker.registration.getNotifications({ tag: tagOf(newMessage) });
  const data = before && cardOf(before);
  // A tab may have displayed it already; browsers require a notification for each push, so it is
  // shown silently again.
  const isAgain = data?.ids.includes(newMessage.message_id) === true;
  const isSilent = isAgain || (await isQuiet());
  const look = { at: newMessage.at, isSilent, isAgain, ...(isAgain && { icon: before?.icon }) };
  await worker.registration.showNotification(...shownAs(withMessage(data, newMessage), look));
}

function newsOf({
  user_id,
  message_id = 0,
  title = "",
  body = "",
  url = "",
  ...rest
}: Pushed): NotificationMessage {
  const address = parseUrl(url)?.hash ?? "";
  const time = rest.timestamp === undefined ? Date.now() : rest.timestamp * 1000;
  return { user_id, message_id, title, line: body, address, at: time };
}

/** The page that requested the test reports its arrival. */
async function showTest({ title = "", body = "" }: Pushed): Promise<void> {
  await worker.registration.showNotification(title, { body, tag: TEST_TAG });
  for (const client of await windowClients()) client.postMessage({ kind: "test-pushed" });
}

async function closePushed(user_id: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const removed = new Set(ids);
  for (const notification of await worker.registration.getNotifications()) {
    const card = cardOf(notification);
    if (card?.user_id !== user_id) continue;
    const remaining = withoutRead(card, (id) => removed.has(id));
    if (remaining === card) continue;
    notification.close();
    if (remaining)
      await worker.registration.showNotification(...shownAgain(notification, remaining));
  }
}

async function isQuiet(): Promise<boolean> {
  const response = await (await caches.open(DO_NOT_DISTURB_CACHE)).match(DO_NOT_DISTURB_PATH);
  const value: unknown = await response?.json().catch(() => undefined);
  if (!isDoNotDisturbSetting(value)) return false;
  const { zone } = value as { zone?: string };
  return isDoNotDisturbAt(value, { time: Date.now(), zone });
}

function windowClients(): Promise<readonly WindowClient[]> {
  return worker.clients.matchAll({ type: "window", includeUncontrolled: true });
}

/** Opens the URL in an existing tab, or in a new one. */
async function open(address: string): Promise<void> {
  const windows = await windowClients();
  const client =
    windows.find((window) => window.focused && isClient(window)) ?? windows.find(isClient);
  if (!client) {
    await worker.clients.openWindow(`/${address}`);
    return;
  }
  for (const id of sent.keys()) if (!windows.some((window) => window.id === id)) sent.delete(id);
  sent.set(client.id, address);
  client.postMessage({ kind: "open", address });
  await client.focus();
}

/** The server's other pages do not display messages. */
const isClient = ({ url }: WindowClient) => parseUrl(url)?.pathname === "/";

interface SubscriptionChange {
  readonly oldSubscription?: PushSubscription | null;
}

/** The server receives the new endpoint when the client is next opened. */
async function renew({ oldSubscription }: SubscriptionChange): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey;
  if (!key) return;
  const options = { userVisibleOnly: true, applicationServerKey: key };
  await worker.registration.pushManager.subscribe(options);
  for (const client of await windowClients()) client.postMessage({ kind: "push-renewed" });
}
