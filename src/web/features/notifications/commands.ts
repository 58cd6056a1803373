// Commands for notifications, in the command palette and the message menu.
import { go } from "../../address.ts";
import { offer } from "../../commands.ts";
import { known } from "../../live.ts";
import { showToast } from "../../ui/toast.tsx";
import { say } from "../../words/words.ts";
import type { Message } from "../messages/state.ts";
import { isInFeed, selectedMessage } from "../conversation/current.ts";
import { beQuiet, isQuietNow, quiet, quietClock } from "./quiet.ts";
import { nextMorning } from "./quiet-hours.ts";

const SHORT_MS = 30 * 60_000;
const isOfSomeoneElse = (message: Message | undefined) =>
  message !== undefined && message.sender_id !== known()?.people.me;
const isStarted = () => known() !== undefined;

offer(
  {
    id: "why-told",
    words: "why-told",
    when: () => isInFeed() && isOfSomeoneElse(selectedMessage()),
    run: async () => (await import("./why.tsx")).showWhy(selectedMessage()!),
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
      if (quiet.peek().until > Date.now()) beQuiet(0);
      // Hours of each day, which may go on, are ended by the settings.
      if (isQuietNow()) go({ kind: "page", page: "settings", path: ["notifications"] });
      else showToast({ words: say("quiet-over") });
    },
  },
);

function beQuietUntil(until: number): void {
  const before = quiet.peek().until;
  beQuiet(until);
  showToast({ words: say("quiet-begun"), undo: () => beQuiet(before) });
}
