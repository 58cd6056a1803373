// The data with which rows and bars are rendered.
import type { ChangeKey } from "../../contract/change-keys.ts";
import { addressOf } from "../../store/address.ts";
import { messageOf } from "../messages/selectors.ts";
import { canSeeHistory } from "../messages/history-permissions.ts";
import { barOf } from "./bar/selectors.ts";
import { editors, revealedMessages } from "./current-state.ts";
import { nameLookups } from "./reading-selectors.ts";
import { messageView } from "./selectors.ts";
import type { FeedContext } from "../../feed/feed-context.ts";
import type { BarContext } from "../../feed/paint.ts";
import type { ToolContext } from "../../feed/tools.ts";
import { getState } from "../../store/store.ts";
import type { Changed } from "../../contract/snapshot.ts";
import { importLater } from "../../ui/loading/scheduling.ts";
import { pendingOf, showSending } from "../compose/lazy-echo.ts";
import type { Message } from "../../contract/message.ts";
import { isOpen } from "../topics/permissions.ts";
import { loadTexts } from "../../words/words.ts";
import { widgetNode } from "../widgets/placeholder.ts";

let pins: typeof import("../pins/row-sign.ts") | undefined;
void importLater(() => import("../pins/row-sign.ts")).then((module) => (pins = module));

/** Loads the toolbar together with its texts. */
const importTools = () =>
  importLater(async () => (await Promise.all([import("../messages/tools.ts"), loadTexts()]))[0]);

export const rowContext: BarContext & ToolContext & Pick<FeedContext, "addTools"> = {
  get me() {
    return getState().people.me;
  },
  now: () => Date.now() / 1000,
  ...nameLookups,
  messageOf,
  addTools: (column, signal) =>
    void importTools().then(({ addTools }) => addTools(column, rowContext, signal)),
  isOpen: ({ stream_id }: Message) => isOpen(stream_id),
  hasHistory: (message) => canSeeHistory(getState(), message),
  isHidden: ({ id, sender_id }) =>
    getState().people.muted.has(sender_id) && !revealedMessages.has(id),
  signsOf: (message) => pins?.pinSigns(message) ?? [],
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
