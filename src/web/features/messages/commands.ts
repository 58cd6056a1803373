// Commands of the selected message, with their keys.
import { lazyDialog } from "../../ui/loading/lazy-layer.tsx";
import { type Command, commandOf, registerCommands, onTarget } from "../../ui/keys/commands.ts";
import { fetchMessageNow } from "./fetch-sync.ts";
import { onRowAction } from "../../feed/row-actions.ts";
import { ROWS_STEP } from "../../feed/window.ts";
import { sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import { showRefusal } from "../../sync/optimistic.ts";
import { copyText } from "../../ui/copy.ts";
import { t, type TextKey } from "../../words/words.ts";
import { echoesIn } from "../compose/lazy-echo.ts";
import { current } from "../conversation/current-state.ts";
import { isInFeed, selectedMessage, selectedRow } from "../conversation/selection-state.ts";
import { playgrounds } from "../conversation/reading-selectors.ts";
import {
  copyLink,
  copyTopicLink,
  removeMessage,
  toggleCollapsed,
  toggleStar,
  unreadFrom,
} from "./actions.ts";
import { editInPlace } from "../editing/open.ts";
import { canSeeHistory } from "./history-permissions.ts";
import { hasLinks, openLinks } from "./links.ts";
import { menuAtRow } from "./menu.ts";
import {
  canDelete,
  canEdit,
  canReport,
  canRetopic,
  canSeeReceipts,
  canMoveToOtherChannel,
} from "./permissions.ts";
import { pinMessage, unpinMessage } from "../pins/actions.ts";
import { canPin } from "../pins/permissions.ts";
import { isPinned } from "../pins/pins-sync.ts";
import type { Message } from "../../contract/message.ts";

type MessagePermission = (message: Message) => boolean;
const always: MessagePermission = () => true;
const seconds = () => Date.now() / 1000;
const canSave: MessagePermission = (message) => canEdit(getState(), message, seconds());
const canTogglePin = ({ id, stream_id }: Message, isNow: boolean): boolean =>
  stream_id !== undefined && canPin(stream_id) && isPinned(stream_id, id) === isNow;
const canMove: MessagePermission = (message) =>
  canRetopic(getState(), message, seconds()) ||
  canMoveToOtherChannel(getState(), message, seconds());

/** Applies to the selected message, if the user may do it. */
function ownMessageCommand(
  id: string,
  textKey: TextKey,
  keys: readonly string[],
  run: (message: Message) => unknown,
  allows: MessagePermission = always,
): Command {
  return {
    id,
    textKey,
    keys,
    ...onTarget(
      () => {
        const message = isInFeed() ? selectedMessage() : undefined;
        return message && allows(message) ? message : undefined;
      },
      (message) => void run(message),
    ),
  };
}

type Dialogs = (typeof import("./dialogs/message-dialogs.ts"))["messageDialogs"];

const openDialog = lazyDialog(() => import("./dialogs/message-dialogs.ts"));

/** `id` is also the key of the title. */
function dialog(id: TextKey, name: keyof Dialogs) {
  return (message: Message): Promise<void> =>
    openDialog(
      id,
      () => t(id),
      ({ messageDialogs }) => messageDialogs[name](message),
    );
}

registerCommands(
  ownMessageCommand("message-menu", "message-menu", ["i"], menuAtRow),
  ownMessageCommand("forward", "forward", ["<"], dialog("forward", "openForward")),
  ownMessageCommand("star-message", "star-message", ["Mod+S"], toggleStar),
  ownMessageCommand("pin-message", "pin-message", [], pinMessage, (message) =>
    canTogglePin(message, false),
  ),
  ownMessageCommand("unpin-message", "unpin-message", [], unpinMessage, (message) =>
    canTogglePin(message, true),
  ),
  ownMessageCommand("copy-message-link", "copy-message-link", ["y"], copyLink),
  ownMessageCommand("copy-topic-link", "copy-topic-link", ["Y"], copyTopicLink),
  ownMessageCommand("copy-message-text", "copy-message-text", [], copySource),
  ownMessageCommand("unread-from-here", "unread-from-here", ["U"], unreadFrom),
  ownMessageCommand("collapse-message", "collapse-message", ["-"], toggleCollapsed),
  ownMessageCommand(
    "open-links",
    "open-links",
    ["o"],
    () => {
      const row = selectedRow();
      if (row) openLinks(row);
    },
    () => hasLinks(selectedRow()),
  ),
  ownMessageCommand("remind", "remind", [], dialog("remind", "openReminder")),
  ownMessageCommand(
    "read-receipts",
    "read-receipts",
    ["V"],
    dialog("read-receipts", "showReceipts"),
    () => canSeeReceipts(getState()),
  ),
  ownMessageCommand(
    "message-history",
    "message-history",
    ["H"],
    dialog("message-history", "showHistory"),
    (message) => canSeeHistory(getState(), message),
  ),
  ownMessageCommand(
    "view-source",
    "view-source",
    ["e"],
    dialog("view-source", "showSource"),
    (message) => !canSave(message),
  ),
  ownMessageCommand("edit-message", "edit-message", ["e"], editInPlace, canSave),
  ownMessageCommand(
    "move-message",
    "move-message",
    ["m"],
    dialog("move-message", "openMove"),
    canMove,
  ),
  ownMessageCommand(
    "report-message",
    "report-message",
    [],
    dialog("report-message", "openReport"),
    () => canReport(getState()),
  ),
  ownMessageCommand("delete-message", "delete-message", [], removeMessage, (message) =>
    canDelete(getState(), message, seconds()),
  ),
  { id: "edit-last", textKey: "edit-last", keys: ["ArrowLeft"], when: isInFeed, run: editLast },
);

async function copySource({ id: message_id }: Message): Promise<void> {
  try {
    const { raw_content } = await fetchMessageNow(sync, { message_id });
    copyText(raw_content, t("text-copied"));
  } catch (error) {
    showRefusal(error);
  }
}

/** Edits the user's newest message on or near the page that can still be changed. */
function editLast(): boolean {
  const feed = current.peek()?.shownFeed();
  // The user's last message is unconfirmed, so no older one is edited instead.
  if (feed && echoesIn(feed.view).length > 0) return true;
  const { messages, people } = getState();
  const own_ = feed?.shownIds(ROWS_STEP).flatMap((id) => messages.byId.get(id) ?? []);
  const last = own_?.findLast(
    (candidate) => candidate.sender_id === people.me && canSave(candidate),
  );
  if (!last) return false;
  const row = feed?.reveal(last.id);
  if (row) feed?.roving.focus(row);
  void editInPlace(last);
  return true;
}

onRowAction("edit", ({ message }) => {
  if (message && canSave(message)) void editInPlace(message);
});
onRowAction("quote", () => void commandOf("quote")?.run());
onRowAction("star", ({ message }) => message && toggleStar(message));
onRowAction("history", ({ message }) => {
  if (message && canSeeHistory(getState(), message))
    void dialog("message-history", "showHistory")(message);
});
onRowAction("try-code", ({ node, on }) => {
  const playground = playgrounds().find(({ id }) => id === Number(on));
  if (playground) void tryCode(playground.url_template, codeAround(node));
});
onRowAction("copy-code", ({ node }) => {
  copyText(codeAround(node), t("code-copied"));
});

const codeAround = (node: HTMLElement): string =>
  node.closest(".codeblock")?.querySelector("pre")?.textContent ?? "";

async function tryCode(template: string, code: string): Promise<void> {
  const { expand } = await import("../../../text/templates/uri-template.ts");
  open(expand(template, { code }), "_blank", "noopener,noreferrer");
}
