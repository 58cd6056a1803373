// Says of a message by which ways one is told of it, and why, or why not.
import { isReason, type Way } from "../../../features/notifications/rules.ts";
import { go } from "../../address.ts";
import { now } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { say, type Word } from "../../words/words.ts";
import { type Held, judge, type Verdict } from "./decide.ts";
import { sendsMail } from "./mail.ts";
import { isQuietNow } from "./quiet.ts";
import type { Message } from "../messages/state.ts";

const ID = "why-told";

const WAYS: readonly (readonly [Way, Word])[] = [
  ["desktop", "settings-by-desktop"],
  ["sound", "settings-by-sound"],
  ["push", "settings-by-push"],
  ["email", "settings-by-email"],
];
/** Messages that are read or being viewed need no notification. */
const HELD: Partial<Record<Held, Word>> = {
  own: "why-own",
  "muted-person": "why-muted-person",
  quiet: "why-quiet",
};

export function showWhy(message: Message): void {
  openLayer(ID, <Why message={message} />);
}

function Why({ message }: { message: Message }) {
  // As if it were unread.
  const unread = { ...message, flags: message.flags.filter((flag) => flag !== "read") };
  const verdict = judge(unread, now(), { watched: [], isQuiet: isQuietNow() });
  const { held } = verdict;
  const word = held && HELD[held];
  const isNobodys = held === "own" || held === "muted-person";
  const settings = () => {
    closeLayer(ID);
    go({ kind: "page", page: "settings", path: ["notifications"] });
  };
  return (
    <Dialog
      id={ID}
      title={say("why-told")}
      foot={<Button onClick={settings}>{say("why-settings")}</Button>}
    >
      {word && <p>{say(word)}</p>}
      {!isNobodys && <p>{say("why-intro")}</p>}
      {!isNobodys && (
        <dl class="notifications-why">
          {WAYS.filter(([way]) => way !== "email" || sendsMail()).map(([way, words]) => (
            <div key={way} data-is={answerTo(verdict, way).is ? "" : undefined}>
              <dt>{say(words)}</dt>
              <dd>
                <Icon name={answerTo(verdict, way).is ? "check" : "x"} size={16} />
                <span>{say(answerTo(verdict, way).word)}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Dialog>
  );
}

function answerTo({ answers }: Verdict, way: Way): { is: boolean; word: Word } {
  const isMute = way === "sound" && now().settings.settings["notification_sound"] === "none";
  const answer = isMute ? "off" : answers[way];
  return { is: isReason(answer), word: `why-${answer}` };
}
