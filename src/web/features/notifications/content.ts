// Content of notifications, one per conversation, shared by page and service worker.
import { narrowOf } from "../../../text/narrow-fragment.ts";
import { conversationOf } from "../../views.ts";
import { itemAt } from "../../content/item-at.ts";

/** A message to notify about. */
export interface NotificationMessage {
  /** The recipient. */
  readonly user_id: number;
  readonly message_id: number;
  /** The title of the conversation. */
  readonly title: string;
  /** The sender and the text. */
  readonly line: string;
  /** Fragment of the message, starting with `#`. Empty for the home view. */
  readonly address: string;
  readonly icon?: string | undefined;
  /** When the message was sent, in milliseconds since 1970. */
  readonly at: number;
}

/** Data that is stored with a displayed notification. */
interface NotificationData {
  readonly user_id: number;
  readonly ids: readonly number[];
  readonly title: string;
  readonly lines: readonly string[];
  readonly address: string;
}

const LINES_MAX = 4;
/** More lines than are displayed, because the newest messages may be read before the others. */
const LINES_KEPT_MAX = 20;
const IDS_MAX = 200;

/** The tag that identifies the notification of a conversation. */
export function tagOf({
  address,
  user_id,
}: Pick<NotificationMessage, "address" | "user_id">): string {
  const terms = narrowOf(address.replace(/^#narrow\//, ""));
  const conversation = terms && conversationOf(terms, user_id);
  if (!conversation) return `skein ${user_id}`;
  if ("user_ids" in conversation) return `skein ${user_id} direct ${conversation.user_ids.join()}`;
  return `skein ${user_id} topic ${conversation.stream_id}/${conversation.topic.toLowerCase()}`;
}

/** A click opens the newest message. */
export function withMessage(
  card: NotificationData | undefined,
  newMessage: NotificationMessage,
): NotificationData {
  const { user_id, message_id, title, line, address } = newMessage;
  const before = card ?? { ids: [], lines: [] };
  if (card?.ids.includes(message_id)) return card;
  return {
    user_id,
    ids: [...before.ids, message_id].slice(-IDS_MAX),
    title,
    lines: [...before.lines, line].slice(-LINES_KEPT_MAX),
    address,
  };
}

/** The notification without messages that are read. Undefined if none is left. */
export function withoutRead(
  card: NotificationData,
  isRead: (id: number) => boolean,
): NotificationData | undefined {
  const { ids, lines, address } = card;
  const remaining = ids.filter((id) => !isRead(id));
  if (remaining.length === ids.length) return card;
  if (remaining.length === 0) return undefined;
  // Each line belongs to one message. Only the newest messages have lines.
  const shownIds = ids.slice(ids.length - lines.length);
  return {
    ...card,
    ids: remaining,
    lines: lines.filter((_, index) => !isRead(itemAt(shownIds, index))),
    address: address.replace(/\/near\/\d+$/, `/near/${remaining.at(-1)}`),
  };
}

interface Look {
  readonly icon?: string | undefined;
  readonly at: number;
  readonly isSilent: boolean;
  /** Updates a notification without alerting again. */
  readonly isAgain?: boolean;
}

/** Options for the browser. `renotify` is missing in some type definitions. */
export function shownAs(
  card: NotificationData,
  { icon, at, isSilent, isAgain = false }: Look,
): [string, NotificationOptions] {
  const count = card.ids.length;
  const options = {
    tag: tagOf(card),
    body: card.lines.slice(-LINES_MAX).join("\n"),
    data: card,
    timestamp: at,
    renotify: !isAgain,
    silent: isSilent,
    ...(icon !== undefined && { icon }),
  };
  return [count > 1 ? `${card.title} (${count})` : card.title, options];
}

/** Displays the notification with fewer messages. */
export function shownAgain(
  notification: Partial<Notification>,
  card: NotificationData,
): [string, NotificationOptions] {
  const { icon, timestamp: time = Date.now() } = notification as Partial<
    Notification & { timestamp: number }
  >;
  return shownAs(card, { icon: icon || undefined, at: time, isSilent: true, isAgain: true });
}

const isCard = (data: unknown): data is NotificationData =>
  typeof data === "object" &&
  data !== null &&
  "ids" in data &&
  Array.isArray(data.ids) &&
  "address" in data &&
  typeof data.address === "string";

/** Notifications of other versions or scripts have no such data. */
export function cardOf({ data }: { readonly data: unknown }): NotificationData | undefined {
  return isCard(data) ? data : undefined;
}
