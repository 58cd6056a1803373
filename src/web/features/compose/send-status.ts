// Shows in a row that its message is unconfirmed, with the actions for it.
import { ownValue } from "../../../text/input/own-value.ts";
import { element, icon } from "../../content/node.ts";
import type { Sending } from "../../contract/message.ts";
import { t, type TextKey } from "../../words/words.ts";
import { mark } from "../../feed/row.ts";

/** The actions for unsent messages, by state. */
const ACTS = {
  waiting: ["retry", "discard"],
  refused: ["edit", "retry", "copy", "discard"],
  unsure: ["retry", "copy", "discard"],
} as const;

const ACTS_OF_CHANGE = { ...ACTS, refused: ["edit", "copy", "discard"] } as const;

/** Shows that the message has not been sent yet, and the possible actions. */
export function showSending(row: HTMLElement, sending: Sending | undefined): void {
  row.querySelector(".send-state")?.remove();
  const state = sending?.state;
  if (state === undefined) delete row.dataset["state"];
  else row.dataset["state"] = state;
  mark(row, "sending", sending !== undefined && state !== "sent" && isSlow(sending));
  if (!sending || state === undefined || state === "sent" || state === "sending") return;
  const node = element("p", "send-state", icon(STATUS_ICONS[state], 16));
  node.append(element("span", "", wordsOf(sending)));
  if (state === "refused") node.dataset["refused"] = "";
  for (const action of sending.isChange ? ACTS_OF_CHANGE[state] : ACTS[state]) {
    const button = element(
      "button",
      "",
      t((state === "waiting" ? ownValue(SOON, action) : undefined) ?? `unsent-${action}`),
    );
    button.type = "button";
    button.dataset["act"] = `unsent-${action}`;
    button.dataset["on"] = sending.local_id;
    node.append(button);
  }
  row.querySelector(".msg-body")?.append(node);
}

/** Faster sends show no progress. */
export const SLOW_MS = 300;
const isSlow = ({ made, state }: Sending) => state !== "sending" || Date.now() - made >= SLOW_MS;

const STATUS_ICONS = { waiting: "offline", refused: "alert", unsure: "help" } as const;
const SOON: Readonly<Record<string, TextKey>> = { retry: "send-now", discard: "unsent-discard" };

function wordsOf({ state, text, isChange = false }: Sending): string {
  if (state === "refused") return t("unsent-refused", { words: text ?? "" });
  if (state === "unsure") return t("unsent-unsure");
  return isChange ? t("change-waiting") : t("unsent-waiting");
}
