// The menu of a message with all its actions and their keys.
import { ownValue } from "../../../text/input/own-value.ts";
import { h } from "preact";
import { commandOf, keysOf } from "../../ui/keys/commands.ts";
import { onRowAction } from "../../feed/row-actions.ts";
import { getState } from "../../store/store.ts";
import type { IconName } from "../../content/icon-names.ts";
import type { Box } from "../../ui/anchor-box.ts";
import { Countdown } from "../../ui/countdown.tsx";
import { type MenuItem, type MenuLead, openMenu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import { current } from "../conversation/current-state.ts";
import { selectedMessage, selectedRow } from "../conversation/selection-state.ts";
import { QuickReactions } from "../reactions/quick-reactions.tsx";
import { isOpen } from "../topics/permissions.ts";
import { deletableUntil, editableUntil } from "./permissions.ts";

/** "asks": the action opens a dialog. "danger": the action deletes something. */
type Kind = "asks" | "danger";

/** In groups; unavailable commands are left out. */
const GROUPS: readonly (readonly (readonly [id: string, icon: IconName, kind?: Kind])[])[] = [
  [
    ["reply", "reply"],
    ["quote", "quote"],
    ["forward", "forward", "asks"],
    ["react", "smile", "asks"],
    ["star-message", "star"],
    ["pin-message", "pin"],
    ["unpin-message", "pin"],
  ],
  [
    ["unread-from-here", "inbox"],
    ["remind", "timer", "asks"],
    ["copy-message-link", "link"],
    ["copy-message-text", "copy"],
    ["open-links", "link"],
    ["zoom", "zoomin"],
    ["collapse-message", "up"],
  ],
  [
    ["edit-message", "pencil"],
    ["view-source", "code"],
    ["move-message", "move", "asks"],
    ["message-history", "clock"],
    ["read-receipts", "seen"],
    ["why-told", "bell"],
    ["report-message", "shield", "asks"],
  ],
  [["delete-message", "trash", "danger"]],
];

export function openMessageMenu(anchor: Element | Box): void {
  const groups = GROUPS.map((group) =>
    group.flatMap(([id, icon, kind]) => itemOf(id, icon, kind) ?? []),
  ).filter((group) => group.length > 0);
  const items = groups.flatMap((group, index) => (index === 0 ? group : [undefined, ...group]));
  const message = selectedMessage();
  const isPhone = matchMedia("(width < 640px)").matches;
  const lead: MenuLead | undefined =
    message && isPhone && isOpen(message.stream_id)
      ? ({ close }) => h(QuickReactions, { message, close })
      : undefined;
  openMenu(anchor, t("message-menu"), items, { lead });
}

function itemOf(id: string, icon: IconName, kind?: Kind): MenuItem | undefined {
  const command = commandOf(id);
  if (!command || !(command.when?.() ?? true)) return undefined;
  const [keys] = keysOf(command);
  const message_id = selectedMessage()?.id;
  return {
    label: t(command.textKey),
    icon,
    ...(keys !== undefined && { keys }),
    ...(kind === "danger" ? { kind } : { asks: kind === "asks" }),
    ...noteOf(id),
    // The row has the focus again now if it still exists. The time limit of the action may have
    // passed.
    run: () => {
      const isSelected = selectedMessage()?.id === message_id;
      if (isSelected && (command.when?.() ?? true)) void command.run();
      else showToast({ text: t(isSelected ? "time-limit-passed" : "message-gone") });
    },
  };
}

const LIMITS: Readonly<Record<string, typeof editableUntil>> = {
  "edit-message": editableUntil,
  "delete-message": deletableUntil,
};

/** The remaining time for an action with a time limit. */
function noteOf(id: string): Pick<MenuItem, "note"> {
  const message = selectedMessage();
  const until = message && ownValue(LIMITS, id)?.(getState(), message);
  if (until === undefined) return {};
  return { note: h(Countdown, { until, overText: t("time-limit-passed") }) };
}

onRowAction("message-menu", ({ node }) => {
  const row = node.closest<HTMLElement>(".msg");
  if (row) current.peek()?.shownFeed()?.roving.focus(row);
  openMessageMenu(node);
});

export function menuAtRow(): boolean {
  const row = selectedRow();
  if (!row) return false;
  current.peek()?.shownFeed()?.roving.focus(row);
  openMessageMenu(row.querySelector('[data-act="message-menu"]') ?? row);
  return true;
}
