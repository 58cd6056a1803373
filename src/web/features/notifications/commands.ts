// Commands for notifications, in the command palette and the message menu.
import { go } from "../../store/address.ts";
import { registerCommands, onTarget } from "../../ui/keys/commands.ts";
import { maybeState } from "../../store/store.ts";
import { lazyDialog } from "../../ui/loading/lazy-layer.tsx";
import { showToast } from "../../ui/toast.tsx";
import { t } from "../../words/words.ts";
import type { Message } from "../../contract/message.ts";
import { isInFeed, selectedMessage } from "../conversation/selection-state.ts";
import { setQuiet, isQuietNow, quiet, quietClock } from "./quiet.ts";
import { nextMorning } from "./quiet-hours-rules.ts";
import { quietTime } from "./quiet-indicator.tsx";

const why = lazyDialog(() => import("./why.tsx"));

const SHORT_MS = 30 * 60_000;
/** The selected message, if another user sent it. */
function foreignMessage(): Message | undefined {
  const message = isInFeed() ? selectedMessage() : undefined;
  return message?.sender_id === maybeState()?.people.me ? undefined : message;
}
const isStarted = () => maybeState() !== undefined;

registerCommands(
  {
    id: "why-told",
    words: "why-told",
    ...onTarget(
      foreignMessage,
      (message) =>
        void why(
          "why-told",
          () => t("why-told"),
          ({ showWhy }) => showWhy(message),
        ),
    ),
  },
  {
    id: "quiet-short",
    words: "quiet-short",
    when: () => isStarted() && !isQuietNow(),
    run: () => beQuietUntil(Date.now() + SHORT_MS),
  },
  {
    id: "quiet-tomorrow",
    words: "quiet-tomorrow",
    when: () => isStarted() && !isQuietNow(),
    run: () => beQuietUntil(nextMorning(quietClock())),
  },
  {
    id: "quiet-end",
    words: "quiet-end",
    when: () => isStarted() && isQuietNow(),
    run: () => {
      if (quiet.peek().until > Date.now()) setQuiet(0);
      // Daily hours of Do Not Disturb can be ended only in the settings.
      if (isQuietNow()) go({ kind: "page", page: "settings", path: ["notifications"] });
      else showToast({ words: t("quiet-over") });
    },
  },
);

function beQuietUntil(until: number): void {
  const before = quiet.peek().until;
  setQuiet(until);
  const time = quietTime(until / 1000);
  showToast({ words: t("quiet-begun", { time }), undo: () => setQuiet(before) });
}
