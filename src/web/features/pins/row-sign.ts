// The sign of a pinned message in its row, which says who pinned it.
import { computed, effect, untracked } from "@preact/signals";
import { element, icon } from "../../content/node.ts";
import type { Message } from "../../contract/message.ts";
import { sheetView } from "../../store/address.ts";
import { getState, maybeState, subscribe } from "../../store/store.ts";
import { formatMoment } from "../../words/dates.ts";
import { t } from "../../words/words.ts";
import { personOf } from "../people/state.ts";
import { isKnown, knownPin, loadPins } from "./pins-sync.ts";

/** Empty if the message is not pinned, or the pins of its channel are not loaded yet. */
export function pinSigns({ id, stream_id }: Message): readonly HTMLElement[] {
  const pin = stream_id === undefined ? undefined : knownPin(stream_id, id);
  if (!pin) return [];
  const name = personOf(getState().people, pin.pinned_by)?.full_name ?? t("unknown-user");
  const text = t("pinned-by-name", { name });
  const sign = element("span", "msg-pin", icon("pin", 16), element("bdi", "", text));
  sign.title = `${text}\n${formatMoment(pin.pinned_at)}`;
  return [sign];
}

/** The channel whose messages are open. */
const openChannel = computed(() => {
  const { value } = sheetView;
  if (value.kind !== "messages") return undefined;
  const term = value.terms.find(({ operator, negated }) => operator === "channel" && !negated);
  return term && Number(term.operand);
});

let opened: number | undefined;

effect(() => {
  const stream_id = openChannel.value;
  const isOpening = stream_id !== opened;
  opened = stream_id;
  if (stream_id === undefined) return;
  subscribe(`channel:${stream_id}`);
  const channel = maybeState()?.channels.channels.get(stream_id);
  // The server sends events about pins to subscribers only.
  const isOutdated = isOpening && channel?.membership !== "subscribed";
  if (!isKnown(stream_id) || isOutdated) untracked(() => void loadPins(stream_id));
});
