// Shows notifications of new messages in the leading tab, and removes those of read messages.
import { addressOf } from "../../store/address.ts";
import { deviceSetting, isBoolean, isNumber } from "../../device-storage.ts";
import { conversationOfMessage } from "../../feed/items.ts";
import { sync } from "../../sync/session.ts";
import { maybeState, getState, onChange } from "../../store/store.ts";
import type { Event } from "../../contract/snapshot.ts";
import { showToast } from "../../ui/toast.tsx";
import { hasTouchScreen } from "../../touch-screen.ts";
import { t } from "../../words/words.ts";
import { conversationName, messageView, topicName } from "../conversation/selectors.ts";
import type { Message } from "../../contract/message.ts";
import { previewLine } from "../messages/preview-selectors.ts";
import { personOf } from "../people/state.ts";
import { type NotificationMessage, tagOf } from "./content.ts";
import { installing, isSent, willExplainInstall } from "../share/install.ts";
import { decideNotification } from "./decide.ts";
import { isDoNotDisturbOn } from "./do-not-disturb.ts";
import { canShowNotifications, openAddress, show, closeNotifications } from "./show.ts";
import { playSound } from "./sound.ts";
import { startWatching, watchedViews } from "./visible-views.ts";

/** Messages that arrived while no tab was open are not notified. */
const CATCHING_UP_MS = 60_000;
const OFFER_MS = 20_000;

/** Maximum of remembered messages of another tab, which this tab may have to notify. */
const HEARD_MAX = 100;

/** The newest message that any tab has notified of or skipped; read from storage each time. */
const newestNotified = () => deviceSetting("notifications-told", 0, isNumber);
/** Messages that arrived while another tab led, which may end before it notifies. */
let recentIds: number[] = [];
const isOffered = deviceSetting("notifications-offered", false, isBoolean);

export function startNotifying(): void {
  startWatching();
  // Runs in sequence, because each step changes the notifications.
  let line: Promise<void> = Promise.resolve();
  const next = (step: () => Promise<void>) => (line = line.then(step, step));
  sync.listen((events) => {
    void next(() => notify(arrivedIds(events)));
    // Phones where this message opens the explanation of how to install the client get no offer.
    if (hasTouchScreen() && isSent(events) && !willExplainInstall()) void offerPush();
  });
  onChange((changed) => {
    if (!changed || changed.has("unread:all")) void next(removeReadNotifications);
  });
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent) => {
    const { kind, address }: { kind?: string; address?: string } = data ?? {};
    // The user clicked a notification of the worker.
    if (kind === "open" && typeof address === "string") openAddress(address);
    if (kind === "push-renewed") void renewPushes();
  });
  // The user clicked a notification while this page was loading.
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ kind: "hears" }));
  sync.isLeading.subscribe((isLeading) => {
    void next(removeReadNotifications);
    if (!isLeading) return;
    void next(() => notify(recentIds.filter((id) => id > newestNotified().peek())));
    void renewPushes();
  });
  // Notifications belong to the signed-in user.
  sync.sessionEnd.before(() => closeNotifications(undefined, () => true));
}

/** Loaded only if push notifications may be wanted. */
async function renewPushes(): Promise<void> {
  if (!canShowNotifications()) return;
  const { renewPush } = await import("./push.ts");
  await renewPush().catch(() => undefined);
}

const arrivedIds = (events: readonly Event[]): number[] =>
  events.flatMap((event) =>
    event.type === "message" && isNews(event.message.timestamp * 1000) ? [event.message.id] : [],
  );

async function notify(arrived: readonly number[]): Promise<void> {
  if (arrived.length === 0) return;
  if (!sync.isLeading.peek()) {
    recentIds = [...recentIds, ...arrived].slice(-HEARD_MAX);
    return;
  }
  const attention = { watched: await watchedViews(), isQuiet: isDoNotDisturbOn() };
  // Looks the messages up again, because some may be read by now.
  const messages = arrived.flatMap((id) => maybeState()?.messages.byId.get(id) ?? []);
  const judged = messages.map((message) => ({
    message,
    ...decideNotification(message, getState(), attention),
  }));
  const isPlayed = judged.some(({ sounds }) => sounds) && (await soundNow());
  const displayed = judged.filter(({ shows }) => shows);
  if (displayed.length > 0) offer();
  const groups = Map.groupBy(
    displayed.map((decision) => ({ ...decision, news: newsOf(decision.message) })),
    ({ news }) => tagOf(news),
  );
  for (const group of groups.values()) {
    const isSilent = isPlayed || !group.some(({ sounds }) => sounds);
    await show(
      group.map(({ news }) => news),
      isSilent,
    );
  }
  const newest = newestNotified();
  newest.value = Math.max(newest.peek(), ...arrived);
}

const isNews = (sentAt: number): boolean =>
  sentAt > performance.timeOrigin - CATCHING_UP_MS || performance.now() > CATCHING_UP_MS;

const soundNow = () =>
  playSound(String(getState().settings.settings["notification_sound"])).catch(() => false);

function newsOf(message: Message): NotificationMessage {
  const { people, settings } = getState();
  const conversation = conversationOfMessage(message, people.me);
  const sender = personOf(people, message.sender_id);
  const name = sender?.full_name ?? message.sender_full_name;
  const isPair = "user_ids" in conversation && conversation.user_ids.length <= 1;
  const isHidden =
    "user_ids" in conversation &&
    settings.settings["pm_content_in_desktop_notifications"] === false;
  const preview = isHidden ? "" : previewLine(message.content);
  const text = preview || t(isHidden ? "notify-hidden" : "notify-no-text");
  return {
    user_id: people.me,
    message_id: message.id,
    title: isPair ? name : titleOf(conversation),
    line: isPair ? text : `${name}: ${text}`,
    address: addressOf(messageView(message)),
    icon: sender?.avatar_url ?? undefined,
    at: message.timestamp * 1000,
  };
}

function titleOf(conversation: ReturnType<typeof conversationOfMessage>): string {
  if ("user_ids" in conversation) return conversationName(conversation.user_ids);
  const channel = getState().channels.channels.get(conversation.stream_id)?.row.name ?? "";
  return `#${channel} › ${topicName(conversation.topic)}`;
}

const offerPush = () => import("./push-offer.ts").then((loaded) => loaded.offerPush());

/** Offers notifications once per device, when the first message would cause one. */
function offer(): void {
  // Phones have no open tab that could notify, except in the installed client.
  if (hasTouchScreen()) return void (installing() === "is" && offerPush());
  const isAskable = "Notification" in globalThis && Notification.permission === "default";
  if (!isAskable || isOffered.peek()) return;
  isOffered.value = true;
  showToast({
    text: t("notify-offer"),
    undoLabel: t("notify-turn-on"),
    undo: () => void ask(),
    ms: OFFER_MS,
  });
}

async function ask(): Promise<void> {
  const permission = await Notification.requestPermission();
  (await import("./push-offer.ts")).explainRefusal(permission);
}

/** Removes messages that were read on any device. */
async function removeReadNotifications(): Promise<void> {
  if (!sync.isLeading.peek() || !canShowNotifications()) return;
  const state = maybeState();
  if (!state) return;
  const { unread, messages, people } = state;
  // A push may precede its event, so the message is not known here yet.
  const isRead = (id: number) => id <= messages.newest && !unread.byMessage.has(id);
  await closeNotifications(people.me, isRead);
}
