// Actions of a scheduled message: send now, reschedule, edit.
import { go } from "../../address.ts";
import { changeScheduled, dropScheduled } from "../../api/deed-calls.ts";
import { desk, sync } from "../../here.ts";
import { now } from "../../live.ts";
import { showRefusal } from "../../optimistic.ts";
import { showToast } from "../../ui/toast.tsx";
import type { Place } from "../../views.ts";
import { formatMoment } from "../../words/dates.ts";
import { say } from "../../words/words.ts";
import { withComposer } from "../compose/session.ts";
import { peopleOf } from "../conversations/state.ts";
import { viewOfPlace } from "../lists/places.ts";
import { targetOf } from "../target/places.ts";

interface Waiting {
  place: Place;
  content: string;
}

function waiting(id: number): Waiting | undefined {
  const { personal, people } = now();
  const one = personal.scheduled.get(id);
  if (!one) return undefined;
  const place: Place =
    one.type === "stream"
      ? { stream_id: one.to, topic: one.topic }
      : { user_ids: peopleOf(one.to, people.me) };
  return { place, content: one.content };
}

/** `at` in milliseconds. */
export async function reschedule(scheduled_message_id: number, at: number): Promise<void> {
  const scheduled_delivery_timestamp = Math.floor(at / 1000);
  try {
    await changeScheduled(sync, { scheduled_message_id, scheduled_delivery_timestamp });
    showToast({ words: say("scheduled-for", { time: formatMoment(at / 1000) }) });
  } catch (error) {
    showRefusal(error);
  }
}

/** Called off first, so that it goes once; from then on it is in the outbox, as any other. */
export async function sendScheduled(id: number): Promise<void> {
  const one = await takenBack(id);
  const outbox = desk.peek()?.outbox;
  if (!one || !outbox) return;
  await outbox.send(targetOf(one.place), one.content).kept;
  go(viewOfPlace(one.place));
}

/** Moves its text into the composer of its target. */
export async function editScheduled(id: number): Promise<void> {
  const one = await takenBack(id);
  if (!one) return;
  go(viewOfPlace(one.place));
  withComposer((open) => open.bringBack(one.content, one.place));
}

async function takenBack(scheduled_message_id: number): Promise<Waiting | undefined> {
  const one = waiting(scheduled_message_id);
  if (!one) return undefined;
  try {
    await dropScheduled(sync, { scheduled_message_id });
    return one;
  } catch (error) {
    showRefusal(error);
    return undefined;
  }
}
