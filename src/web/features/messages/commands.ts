// Commands of the selected message, with their keys.
import { type Command, commandOf, offer } from "../../commands.ts";
import { fetchMessage } from "../../api/calls.ts";
import { onAct } from "../../feed/acts.ts";
import { ROWS_STEP } from "../../feed/window.ts";
import { sync } from "../../here.ts";
import { now } from "../../live.ts";
import { showRefusal } from "../../optimistic.ts";
import { copyText } from "../../ui/copy.ts";
import { say, type Word } from "../../words/words.ts";
import { echoesIn } from "../compose/echoing.ts";
import { current, isInFeed, selectedMessage, selectedRow } from "../conversation/current.ts";
import { playgrounds } from "../conversation/drawing.ts";
import {
  copyLink,
  copyTopicLink,
  removeMessage,
  toggleCollapsed,
  toggleStar,
  unreadFrom,
} from "./actions.ts";
import { editInPlace } from "../editing/open.ts";
import { hasLinks, openLinks } from "./links.ts";
import { menuAtRow } from "./menu.ts";
import {
  mayDelete,
  mayEdit,
  mayReport,
  mayRetopic,
  maySeeHistory,
  maySeeReceipts,
  mayTake,
} from "./permits.ts";
import type { Message } from "./state.ts";

type Allows = (message: Message) => boolean;
const always: Allows = () => true;
const seconds = () => Date.now() / 1000;
const maySave: Allows = (message) => mayEdit(now(), message, seconds());
const mayMove: Allows = (message) =>
  mayRetopic(now(), message, seconds()) || mayTake(now(), message, seconds());

/** Applies to the selected message, if the user may do it. */
function own(
  id: string,
  words: Word,
  keys: readonly string[],
  run: (message: Message) => unknown,
  allows: Allows = always,
): Command {
  return {
    id,
    words,
    keys,
    when: () => {
      const message = isInFeed() ? selectedMessage() : undefined;
      return message !== undefined && allows(message);
    },
    run: () => void run(selectedMessage()!),
  };
}

type Dialogs = (typeof import("./dialogs/message-dialogs.ts"))["messageDialogs"];

function dialog(name: keyof Dialogs) {
  return async (message: Message): Promise<void> => {
    const { messageDialogs } = await import("./dialogs/message-dialogs.ts");
    await messageDialogs[name](message);
  };
}

offer(
  own("message-menu", "message-menu", ["i"], menuAtRow),
  own("forward", "forward", ["<"], dialog("askForward")),
  own("star-message", "star-message", ["Mod+S"], toggleStar),
  own("copy-message-link", "copy-message-link", ["y"], copyLink),
  own("copy-topic-link", "copy-topic-link", ["Y"], copyTopicLink),
  own("copy-message-text", "copy-message-text", [], copySource),
  own("unread-from-here", "unread-from-here", ["U"], unreadFrom),
  own("collapse-message", "collapse-message", ["-"], toggleCollapsed),
  own(
    "open-links",
    "open-links",
    ["o"],
    () => openLinks(selectedRow()!),
    () => hasLinks(selectedRow()),
  ),
  own("remind", "remind", [], dialog("askReminder")),
  own("read-receipts", "read-receipts", ["V"], dialog("showReceipts"), () => maySeeReceipts(now())),
  own("message-history", "message-history", ["H"], dialog("showHistory"), (message) =>
    maySeeHistory(now(), message),
  ),
  own("view-source", "view-source", ["e"], dialog("showSource"), (message) => !maySave(message)),
  own("edit-message", "edit-message", ["e"], editInPlace, maySave),
  own("move-message", "move-message", ["m"], dialog("askMove"), mayMove),
  own("report-message", "report-message", [], dialog("askReport"), () => mayReport(now())),
  own("delete-message", "delete-message", [], removeMessage, (message) =>
    mayDelete(now(), message, seconds()),
  ),
  { id: "edit-last", words: "edit-last", keys: ["ArrowLeft"], when: isInFeed, run: editLast },
);

async function copySource({ id: message_id }: Message): Promise<void> {
  try {
    const { raw_content } = await fetchMessage(sync, { message_id });
    copyText(raw_content, say("text-copied"));
  } catch (error) {
    showRefusal(error);
  }
}

/** The newest of one's own, in the page or near it, that may still be changed. */
export function editLast(): boolean {
  const feed = current.peek()?.shownFeed();
  // The user's last message is unconfirmed, so no older one is edited instead.
  if (feed && echoesIn(feed.view).length > 0) return true;
  const { messages, people } = now();
  const own_ = feed?.shownIds(ROWS_STEP).flatMap((id) => messages.byId.get(id) ?? []);
  const last = own_?.findLast((one) => one.sender_id === people.me && maySave(one));
  if (!last) return false;
  const row = feed!.reveal(last.id);
  if (row) feed!.roving.focus(row);
  void editInPlace(last);
  return true;
}

onAct("quote", () => void commandOf("quote")?.run());
onAct("star", ({ message }) => message && toggleStar(message));
onAct("history", ({ message }) => {
  if (message && maySeeHistory(now(), message)) void dialog("showHistory")(message);
});
onAct("try-code", ({ node, on }) => {
  const playground = playgrounds().find(({ id }) => id === Number(on));
  if (playground) void tryCode(playground.url_template, codeAround(node));
});
onAct("copy-code", ({ node }) => {
  copyText(codeAround(node), say("code-copied"));
});

const codeAround = (node: HTMLElement): string =>
  node.closest(".codeblock")?.querySelector("pre")?.textContent ?? "";

async function tryCode(template: string, code: string): Promise<void> {
  const { expand } = await import("../../../text/templates/uri-template.ts");
  open(expand(template, { code }), "_blank", "noopener,noreferrer");
}
