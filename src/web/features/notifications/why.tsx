// Explains for a message which kinds of notifications it causes, and why.
import { isReason, type NotificationKind } from "../../../features/notifications/rules.ts";
import { go } from "../../store/address.ts";
import { getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { t, type TextKey } from "../../words/words.ts";
import { type SilenceReason, decideNotification, type NotificationDecision } from "./decide.ts";
import { sendsMail } from "../organization/selectors.ts";
import { isDoNotDisturbOn } from "./do-not-disturb.ts";
import type { Message } from "../../contract/message.ts";

const ID = "why-told";

const METHODS: readonly (readonly [NotificationKind, TextKey])[] = [
  ["desktop", "settings-by-desktop"],
  ["sound", "settings-by-sound"],
  ["push", "settings-by-push"],
  ["email", "settings-by-email"],
];
/** Messages that are read or being viewed need no notification. */
const HELD: Partial<Record<SilenceReason, TextKey>> = {
  own: "why-own",
  "muted-person": "why-muted-person",
  quiet: "why-quiet",
};

export function showWhy(message: Message): void {
  openLayer(ID, <Why message={message} />);
}

function Why({ message }: { message: Message }) {
  // Judges the message like an unread one.
  const unread = { ...message, flags: message.flags.filter((flag) => flag !== "read") };
  const verdict = decideNotification(unread, getState(), {
    watched: [],
    isQuiet: isDoNotDisturbOn(),
  });
  const { silencedBy } = verdict;
  const word = silencedBy && HELD[silencedBy];
  const isSilencedForAll = silencedBy === "own" || silencedBy === "muted-person";
  const settings = () => {
    closeLayer(ID);
    go({ kind: "page", page: "settings", path: ["notifications"] });
  };
  return (
    <Dialog
      id={ID}
      title={t("why-told")}
      foot={<Button onClick={settings}>{t("why-settings")}</Button>}
    >
      {word && <p>{t(word)}</p>}
      {!isSilencedForAll && <p>{t("why-intro")}</p>}
      {!isSilencedForAll && (
        <dl class="notifications-why">
          {METHODS.filter(([method]) => method !== "email" || sendsMail()).map(
            ([method, textKey]) => (
              <div key={method} data-is={answerTo(verdict, method).is ? "" : undefined}>
                <dt>{t(textKey)}</dt>
                <dd>
                  <Icon name={answerTo(verdict, method).is ? "check" : "x"} size={16} />
                  <span>{t(answerTo(verdict, method).word)}</span>
                </dd>
              </div>
            ),
          )}
        </dl>
      )}
    </Dialog>
  );
}

function answerTo(
  { answers }: NotificationDecision,
  method: NotificationKind,
): { is: boolean; word: TextKey } {
  const isMute =
    method === "sound" && getState().settings.settings["notification_sound"] === "none";
  const reason = isMute ? "off" : answers[method];
  return { is: isReason(reason), word: `why-${reason}` };
}
