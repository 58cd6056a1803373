// Push notifications in this browser: whether they are available, and turning them on and off.
import { signal } from "@preact/signals";
import {
  addPush,
  dropPush,
  fetchPushes,
  type PushSubscriptionEntry,
} from "../../api/push-calls.ts";
import { isNumber, deviceSetting } from "../../device-storage.ts";
import { sync } from "../../sync/session.ts";
import { maybeState } from "../../store/store.ts";
import { installWorker } from "../../sync/install-worker.ts";
import { deviceName } from "./device-name.ts";

/** All push subscriptions of the user, and which of them is this browser. */
interface Pushes {
  readonly subscriptions: readonly PushSubscriptionEntry[];
  readonly thisDevice: PushSubscriptionEntry | undefined;
}

export const pushes = signal<Pushes | undefined>(undefined);

/** Id of the user who wants push notifications in this browser. 0 for none. */
const wanted = deviceSetting("push-wanted", 0, isNumber);

/** Requires a secure connection. */
export const canPush = (): boolean =>
  "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

export async function fetchPushState(): Promise<Pushes> {
  const { application_server_key: key, push_subscriptions: subscriptions } = await fetchPushes(
    sync,
    {},
  );
  const subscription = canPush()
    ? await (await worker())?.pushManager.getSubscription()
    : undefined;
  const isOfKey = subscription && keyOf(subscription) === key;
  const thisDevice = isOfKey
    ? subscriptions.find(({ endpoint }) => endpoint === subscription.endpoint)
    : undefined;
  return (pushes.value = { subscriptions, thisDevice });
}

/** Throws the error of the browser or the server. */
export async function enablePush(): Promise<void> {
  const { application_server_key: applicationServerKey } = await fetchPushes(sync, {});
  // Pushes cannot be displayed if there is no service worker.
  await installWorker();
  const { pushManager } = await navigator.serviceWorker.ready;
  const before = await pushManager.getSubscription();
  // A subscription with another key does not accept this server's pushes.
  if (before && keyOf(before) !== applicationServerKey) await before.unsubscribe();
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  const { endpoint, keys } = subscription.toJSON();
  const { p256dh = "", auth = "" } = keys ?? {};
  await addPush(sync, {
    endpoint: endpoint ?? subscription.endpoint,
    p256dh,
    auth,
    name: deviceName(),
  });
  wanted.value = maybeState()?.people.me ?? 0;
  await fetchPushState();
}

export async function disablePush(subscription: PushSubscriptionEntry): Promise<void> {
  await dropPush(sync, { push_subscription_id: subscription.id });
  if (subscription.id === pushes.peek()?.thisDevice?.id) {
    wanted.value = 0;
    await (await (await worker())?.pushManager.getSubscription())?.unsubscribe();
  }
  await fetchPushState();
}

/** Renews the subscription if the browser, push service or server has lost it. */
export async function renewPush(): Promise<void> {
  const isWanted = wanted.peek() !== 0 && wanted.peek() === maybeState()?.people.me;
  if (!isWanted || !canPush() || Notification.permission !== "granted") return;
  const { thisDevice } = await fetchPushState();
  if (!thisDevice) await enablePush();
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const worker = () => navigator.serviceWorker.getRegistration();
