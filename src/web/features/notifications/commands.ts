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
import { setQuiet, isQuietNow, quiet, quietClock } from "./quiet.ts";
import { QUIET_CHOICES } from "./quiet-choices.ts";
import { OPEN_END } from "./quiet-hours-rules.ts";
import { quietTime, doNotDisturbText } from "./quiet-indicator.tsx";

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
    textKey: "quiet",
    when: () => isStarted() && !isQuietNow(),
    run: openQuietMenu,
  },
  {
    id: "quiet-end",
    textKey: "quiet-end",
    when: () => isStarted() && isQuietNow(),
    run: () => {
      if (quiet.peek().until > Date.now()) setQuiet(0);
      // Daily hours of Do Not Disturb can be ended only in the settings.
      if (isQuietNow()) go({ kind: "page", page: "settings", path: ["notifications"] });
      else showToast({ text: t("quiet-over") });
    },
  },
);

function openQuietMenu(): void {
  const anchor = document.querySelector(".sidebar-user") ?? document.body;
  const now = quietClock();
  const items = QUIET_CHOICES.map(({ textKey, until }): MenuItem => {
    const end = until(now);
    const note = end < OPEN_END ? quietTime(end) : "";
    return { label: t(textKey), note, run: () => beQuietUntil(end) };
  });
  openMenu(anchor, t("quiet"), items);
}

function beQuietUntil(until: number): void {
  const before = quiet.peek().until;
  setQuiet(until);
  showToast({ text: doNotDisturbText("quiet-begun", until), undo: () => setQuiet(before) });
}
