// The menu of a message: all that can be done with it, each with its key.
import { ownValue } from "../../../text/input/own-value.ts";
import { h } from "preact";
import { commandOf, keysOf } from "../../commands.ts";
import { onAct } from "../../feed/acts.ts";
import { now } from "../../live.ts";
import type { IconName } from "../../ui/icon.tsx";
import type { Box } from "../../ui/box.ts";
import { Countdown } from "../../ui/countdown.tsx";
import { type MenuItem, openMenu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import { current, selectedMessage, selectedRow } from "../conversation/current.ts";
import { deletableUntil, editableUntil } from "./permits.ts";

/** In groups; a command that cannot be had for the message is left out. */
const GROUPS: readonly (readonly (readonly [id: string, icon: IconName, kind?: "danger"])[])[] = [
  [
    ["reply", "reply"],
    ["quote", "quote"],
    ["forward", "forward"],
    ["react", "smile"],
    ["star-message", "star"],
  ],
  [
    ["unread-from-here", "inbox"],
    ["remind", "timer"],
    ["copy-message-link", "link"],
    ["copy-message-text", "copy"],
    ["open-links", "link"],
    ["zoom", "zoomin"],
    ["collapse-message", "up"],
  ],
  [
    ["edit-message", "pencil"],
    ["view-source", "code"],
    ["move-message", "move"],
    ["message-history", "clock"],
    ["read-receipts", "seen"],
    ["why-told", "bell"],
    ["report-message", "shield"],
  ],
  [["delete-message", "trash", "danger"]],
];

export function openMessageMenu(beside: Element | Box): void {
  const groups = GROUPS.map((group) =>
    group.flatMap(([id, icon, kind]) => itemOf(id, icon, kind) ?? []),
  ).filter((group) => group.length > 0);
  const items = groups.flatMap((group, at) => (at === 0 ? group : [undefined, ...group]));
  openMenu(beside, say("message-menu"), items);
}

function itemOf(id: string, icon: IconName, kind?: "danger"): MenuItem | undefined {
  const command = commandOf(id);
  if (!command || !(command.when?.() ?? true)) return undefined;
  const [keys] = keysOf(command);
  const message_id = selectedMessage()?.id;
  return {
    label: say(command.words),
    icon,
    ...(keys !== undefined && { keys }),
    ...(kind && { kind }),
    ...noteOf(id),
    // The focus is back in the row by then, if it is there yet, and its time may be over.
    run: () => {
      const isThere = selectedMessage()?.id === message_id;
      if (isThere && (command.when?.() ?? true)) void command.run();
      else showToast({ words: say(isThere ? "time-is-over" : "message-gone") });
    },
  };
}

const LIMITS: Readonly<Record<string, typeof editableUntil>> = {
  "edit-message": editableUntil,
  "delete-message": deletableUntil,
};

/** How long it can be had, where that ends. */
function noteOf(id: string): Pick<MenuItem, "note"> {
  const message = selectedMessage();
  const until = message && ownValue(LIMITS, id)?.(now(), message);
  if (until === undefined) return {};
  return { note: h(Countdown, { until, over: say("time-is-over") }) };
}

onAct("message-menu", ({ node }) => {
  const row = node.closest<HTMLElement>(".msg");
  if (row) current.peek()?.shownFeed()?.roving.focus(row);
  openMessageMenu(node);
});

export function menuAtRow(): boolean {
  const row = selectedRow();
  if (!row) return false;
  current.peek()!.shownFeed()!.roving.focus(row);
  openMessageMenu(row.querySelector('[data-act="message-menu"]') ?? row);
  return true;
}
