// Commands for notifications, in the command palette and the message menu.
import { go } from "../../store/address.ts";
import { registerCommands, onTarget } from "../../ui/keys/commands.ts";
import { maybeState } from "../../store/store.ts";
import { lazyDialog } from "../../ui/loading/lazy-layer.tsx";
import { type MenuItem, openMenu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import type { Message } from "../../contract/message.ts";
import { isInFeed, selectedMessage } from "../conversation/selection-state.ts";
import {
  setDoNotDisturb,
  isDoNotDisturbOn,
  doNotDisturb,
  doNotDisturbClock,
} from "./do-not-disturb.ts";
import { DO_NOT_DISTURB_CHOICES } from "./do-not-disturb-choices.ts";
import { OPEN_END } from "./do-not-disturb-rules.ts";
import { doNotDisturbTime, doNotDisturbText } from "./do-not-disturb-indicator.tsx";

const explainDialog = lazyDialog(() => import("./why.tsx"));

/** The selected message, if another user sent it. */
function foreignMessage(): Message | undefined {
  const message = isInFeed() ? selectedMessage() : undefined;
  return message?.sender_id === maybeState()?.people.me ? undefined : message;
}
const isStarted = () => maybeState() !== undefined;

registerCommands(
  {
    id: "why-told",
    textKey: "why-told",
    ...onTarget(
      foreignMessage,
      (message) =>
        void explainDialog(
          "why-told",
          () => t("why-told"),
          ({ showWhy }) => showWhy(message),
        ),
    ),
  },
  {
    id: "quiet",
    textKey: "do-not-disturb",
    when: () => isStarted() && !isDoNotDisturbOn(),
    run: openQuietMenu,
  },
  {
    id: "quiet-end",
    textKey: "do-not-disturb-end",
    when: () => isStarted() && isDoNotDisturbOn(),
    run: () => {
      if (doNotDisturb.peek().until > Date.now()) setDoNotDisturb(0);
      // Daily hours of Do Not Disturb can be ended only in the settings.
      if (isDoNotDisturbOn()) go({ kind: "page", page: "settings", path: ["notifications"] });
      else showToast({ text: t("do-not-disturb-over") });
    },
  },
);

function openQuietMenu(): void {
  const anchor = document.querySelector(".sidebar-user") ?? document.body;
  const now = doNotDisturbClock();
  const items = DO_NOT_DISTURB_CHOICES.map(({ textKey, until }): MenuItem => {
    const end = until(now);
    const note = end < OPEN_END ? doNotDisturbTime(end) : "";
    return { label: t(textKey), note, run: () => beQuietUntil(end) };
  });
  openMenu(anchor, t("do-not-disturb"), items);
}

function beQuietUntil(until: number): void {
  const before = doNotDisturb.peek().until;
  setDoNotDisturb(until);
  showToast({
    text: doNotDisturbText("do-not-disturb-begun", until),
    undo: () => setDoNotDisturb(before),
  });
}
