// Sending what is written: now, by the outbox; later, by the server's own clock.
import { dropScheduled, scheduleMessage } from "../../api/deed-calls.ts";
import { Refused } from "../../api/http.ts";
import { desk, sync } from "../../here.ts";
import { now } from "../../live.ts";
import { showToast } from "../../ui/toast.tsx";
import type { Place } from "../../views.ts";
import { formatMoment } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { typing } from "./desk.ts";
import { targetOf, wirePlace } from "../target/places.ts";

/** Resolves when the text is in the outbox and the box may be emptied; false: it stays. */
export async function sendNow(place: Place, text: string): Promise<boolean> {
  const open = desk.peek();
  if (!open) return false;
  typing.stop();
  await open.outbox.send(targetOf(place), text);
  // The disk takes nothing: without a network the text is in this tab alone.
  const isAtRisk = !open.outbox.isKept && sync.standing.peek().kind !== "live";
  if (isAtRisk) showToast({ words: say("not-kept"), isAlert: true });
  return true;
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
