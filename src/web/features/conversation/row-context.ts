// The data with which rows and bars are rendered.
import type { ChangeKey } from "../../contract/change-keys.ts";
import { addressOf } from "../../store/address.ts";
import { canSeeHistory } from "../messages/history-permissions.ts";
import { barOf } from "./bar/selectors.ts";
import { editors, revealedMessages } from "./current-state.ts";
import { nameLookups } from "./reading-selectors.ts";
import { messageView } from "./selectors.ts";
import type { BarContext } from "../../feed/paint.ts";
import { getState } from "../../store/store.ts";
import type { Changed } from "../../contract/snapshot.ts";
import { pendingOf, showSending } from "../compose/lazy-echo.ts";
import type { Message } from "../../contract/message.ts";
import { isOpen } from "../topics/permissions.ts";
import { widgetNode } from "../widgets/placeholder.ts";

export const rowContext: BarContext & {
  emojiUrlOf(code: string): string | undefined;
  isOpen(message: Message): boolean;
} = {
  get me() {
    return getState().people.me;
  },
  now: () => Date.now() / 1000,
  ...nameLookups,
  isOpen: ({ stream_id }: Message) => isOpen(stream_id),
  hasHistory: (message) => canSeeHistory(getState(), message),
  isHidden: ({ id, sender_id }) =>
    getState().people.muted.has(sender_id) && !revealedMessages.has(id),
  editorOf: (message_id) => editors.get(message_id),
  pendingOf,
  showSending,
  widgetOf: widgetNode,
  markedOf: () => undefined,
  addressOf: (message) => addressOf(messageView(message)),
  barOf,
};

/** Changes that any row may show. */
const ALL_ROWS: readonly ChangeKey[] = [
  "settings",
  "words",
  "muted-users",
  "realm:enable_guest_user_indicator",
  "realm:message_edit_history_visibility_policy",
  "realm_playgrounds",
  "realm_emoji",
];

/** Selects the rows that these changes affect. */
export function affectedBy(changed: Changed): (message: Message) => boolean {
  const isAll = ALL_ROWS.some((key) => changed.has(key));
  return ({ id, sender_id, reactions }) =>
    isAll ||
    changed.has(`message:${id}`) ||
    changed.has(`user:${sender_id}`) ||
    changed.has(`status:${sender_id}`) ||
    reactions.some(({ user_id }) => changed.has(`user:${user_id}`));
}
