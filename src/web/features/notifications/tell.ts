// Tells of new messages: the tab that leads shows and sounds them, and takes back what is read.
import { addressOf } from "../../address.ts";
import { ofDevice, isBoolean, isNumber } from "../../device.ts";
import { placeOfMessage } from "../../feed/items.ts";
import { sync } from "../../here.ts";
import { known, now, onChange } from "../../live.ts";
import type { Event } from "../../snapshot.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { conversationName, messageView, topicName } from "../conversation/drawing.ts";
import type { Message } from "../messages/state.ts";
import { toldLine } from "../messages/preview.ts";
import { personOf } from "../people/state.ts";
import { type News, tagOf } from "./card.ts";
import { judge } from "./decide.ts";
import { isQuietNow } from "./quiet.ts";
import { maySay, openAddress, show, withdraw } from "./show.ts";
import { sound } from "./sound.ts";
import { startWatching, watchedViews } from "./watching.ts";

/** Messages that arrived while no tab was open are not notified. */
const CATCHING_UP_MS = 60_000;
const OFFER_MS = 20_000;

/** Maximum of remembered messages of another tab, which this tab may have to notify. */
const HEARD_MAX = 100;

/** The newest message that some tab has told of, or that calls nobody: read anew each time. */
const told = () => ofDevice("notifications-told", 0, isNumber);
/** Messages that arrived while another tab led, which may end before it notifies. */
let heard: number[] = [];
const isOffered = ofDevice("notifications-offered", false, isBoolean);

export function startTelling(): void {
  startWatching();
  // Runs one after the other, as each changes the notifications.
  let line: Promise<void> = Promise.resolve();
  const next = (step: () => Promise<void>) => (line = line.then(step, step));
  sync.listen((events) => void next(() => tell(arrivedBy(events))));
  onChange((changed) => {
    if (!changed || changed.has("unread:all")) void next(takeBack);
  });
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const { kind, address } = (data ?? {}) as { kind?: string; address?: string };
    // The user clicked a notification of the worker.
    if (kind === "open" && typeof address === "string") openAddress(address);
    if (kind === "push-renewed") void renewPushes();
  });
  // The user clicked a notification while this page was loading.
  void navigator.serviceWorker?.ready.then(({ active }) => active?.postMessage({ kind: "hears" }));
  sync.isLeading.subscribe((isLeading) => {
    void next(takeBack);
    if (!isLeading) return;
    void next(() => tell(heard.filter((id) => id > told().peek())));
    void renewPushes();
  });
  // Notifications belong to the signed-in user.
  sync.leaving.before(() => withdraw(undefined, () => true));
}

/** Loaded only if push notifications may be wanted. */
async function renewPushes(): Promise<void> {
  if (!maySay()) return;
  const { keepPushing } = await import("./push.ts");
  await keepPushing().catch(() => undefined);
}

const arrivedBy = (events: readonly Event[]): number[] =>
  events.flatMap((event) =>
    event.type === "message" && isNews(event.message.timestamp * 1000) ? [event.message.id] : [],
  );

async function tell(arrived: readonly number[]): Promise<void> {
  if (arrived.length === 0) return;
  if (!sync.isLeading.peek()) {
    heard = [...heard, ...arrived].slice(-HEARD_MAX);
    return;
  }
  const around = { watched: await watchedViews(), isQuiet: isQuietNow() };
  // The current messages, since some may be read now.
  const messages = arrived.flatMap((id) => known()?.messages.byId.get(id) ?? []);
  const judged = messages.map((message) => ({ message, ...judge(message, now(), around) }));
  const isHeard = judged.some(({ sounds }) => sounds) && (await soundNow());
  const shown = judged.filter(({ shows }) => shows);
  if (shown.length > 0) offer();
  const groups = Map.groupBy(
    shown.map((one) => ({ ...one, news: newsOf(one.message) })),
    ({ news }) => tagOf(news),
  );
  for (const group of groups.values()) {
    const isSilent = isHeard || !group.some(({ sounds }) => sounds);
    await show(
      group.map(({ news }) => news),
      isSilent,
    );
  }
  const newest = told();
  newest.value = Math.max(newest.peek(), ...arrived);
}

const isNews = (sent: number): boolean =>
  sent > performance.timeOrigin - CATCHING_UP_MS || performance.now() > CATCHING_UP_MS;

const soundNow = () =>
  sound(String(now().settings.settings["notification_sound"])).catch(() => false);

function newsOf(message: Message): News {
  const { people, settings } = now();
  const place = placeOfMessage(message, people.me);
  const sender = personOf(people, message.sender_id);
  const name = sender?.full_name ?? message.sender_full_name;
  const isPair = "user_ids" in place && place.user_ids.length <= 1;
  const isHidden =
    "user_ids" in place && settings.settings["pm_content_in_desktop_notifications"] === false;
  const text = isHidden ? "" : toldLine(message.content);
  const words = text || say(isHidden ? "notify-hidden" : "notify-wordless");
  return {
    user_id: people.me,
    message_id: message.id,
    title: isPair ? name : titleOf(place),
    line: isPair ? words : `${name}: ${words}`,
    address: addressOf(messageView(message)),
    icon: sender?.avatar_url ?? undefined,
    at: message.timestamp * 1000,
  };
}

function titleOf(place: ReturnType<typeof placeOfMessage>): string {
  if ("user_ids" in place) return conversationName(place.user_ids);
  const channel = now().channels.channels.get(place.stream_id)?.row.name ?? "";
  return `#${channel} › ${topicName(place.topic)}`;
}

/** Once on a device, when there is something to show. */
function offer(): void {
  const isAskable = "Notification" in globalThis && Notification.permission === "default";
  if (!isAskable || isOffered.peek()) return;
  isOffered.value = true;
  showToast({
    words: say("notify-offer"),
    undoWords: say("notify-turn-on"),
    undo: () => void Notification.requestPermission(),
    ms: OFFER_MS,
  });
}

/** Removes messages that were read on any device. */
async function takeBack(): Promise<void> {
  if (!sync.isLeading.peek() || !maySay()) return;
  const state = known();
  if (!state) return;
  const { unread, messages, people } = state;
  // A push may precede its event, so the message is not known here yet.
  const isOver = (id: number) => id <= messages.newest && !unread.placeOf.has(id);
  await withdraw(people.me, isOver);
}
