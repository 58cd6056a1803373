// Sending what is written: now, by the outbox; later, by the server's own clock.
import { go, view } from "../../address.ts";
import { dropScheduled, scheduleMessage } from "../../api/deed-calls.ts";
import { Refused } from "../../api/http.ts";
import { desk, sync } from "../../here.ts";
import { now } from "../../live.ts";
import { showToast } from "../../ui/toast.tsx";
import type { Place } from "../../views.ts";
import { formatMoment } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { barOf } from "../conversation/drawing.ts";
import { viewOfPlace } from "../lists/places.ts";
import type { Outgoing, Sent } from "../../sync/outbox.ts";
import { shelf, typing } from "./desk.ts";
import { stands } from "./echo.ts";
import { placeKey, targetOf, wirePlace } from "../target/places.ts";

/** The text is in the outbox and the box may be emptied; undefined: it stays. */
export function sendNow(place: Place, text: string): Sent | undefined {
  const open = desk.peek();
  if (!open) return undefined;
  typing.stop();
  const sent = open.outbox.send(targetOf(place), text);
  void sent.kept.then(() => {
    // The disk takes nothing: without a network the text is in this tab alone.
    const isAtRisk = !open.outbox.isKept && sync.standing.peek().kind !== "live";
    if (isAtRisk) showToast({ words: say("not-kept"), isAlert: true });
  });
  return sent;
}

/** Opens the conversation of a message that was sent elsewhere, or shows a link to it. */
export function follow(place: Place, outgoing: Outgoing): void {
  const shown = view.peek();
  if (shown.kind === "messages" && stands(outgoing, shown.terms)) return;
  const there = viewOfPlace(place);
  if (now().settings.settings["web_navigate_to_sent_message"] !== false) return go(there);
  tellWhere(place);
}

function tellWhere(place: Place): void {
  const words = say("sent-to", { name: barOf(place).title });
  showToast({ words, undo: () => go(viewOfPlace(place)), undoWords: say("show") });
}

/** Sends a draft that waited for its files, while the user is in another view. */
export async function sendHeld(place: Place, text: string, at: number | undefined): Promise<void> {
  const { drafts } = shelf.peek() ?? {};
  if (at === undefined) {
    const sent = sendNow(place, text);
    if (!sent) return;
    drafts?.forget(placeKey(place), sent.kept);
    return tellWhere(place);
  }
  const back = () => drafts?.change(placeKey(place), place, text);
  if (await sendLater(place, text, at, back)) drafts?.forget(placeKey(place));
}

/** `at` in milliseconds. `undo` brings the text back. */
export async function sendLater(
  place: Place,
  text: string,
  at: number,
  undo: () => void,
): Promise<boolean> {
  const { to, topic } = wirePlace(place, now().people.me);
  const isDirect = "user_ids" in place;
  try {
    const { scheduled_message_id } = await scheduleMessage(sync, {
      type: isDirect ? "direct" : "channel",
      to: JSON.stringify(isDirect ? to : to[0]),
      ...(!isDirect && { topic }),
      content: text,
      scheduled_delivery_timestamp: Math.floor(at / 1000),
      read_by_sender: true,
    });
    const takeBack = async () => {
      await dropScheduled(sync, { scheduled_message_id });
      undo();
    };
    showToast({
      words: say("scheduled-for", { time: formatMoment(at / 1000) }),
      undo: () => void takeBack().catch(() => undefined),
    });
    return true;
  } catch (error) {
    const words = error instanceof Refused ? error.words : say("not-scheduled");
    showToast({ words, isAlert: true });
    return false;
  }
}
