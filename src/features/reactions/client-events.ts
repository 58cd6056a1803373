// Adapts reaction events to each client: emoji type, and a placeholder for a hidden user.
import { type PlainEvent, WANTS_SERVICE_SPELLING } from "../../contract/events.ts";
import { EXTRA_EMOJI, EXTRA_EMOJI_OTHER } from "../../contract/names.ts";
import type { Reader } from "../../realm.ts";
import type { QueueRecord } from "../../schema/records.ts";
import { isHiddenFrom } from "../people/access.ts";
import { emailOf, placeholder } from "../people/wire.ts";

/** Bits of a variant: other spelling of the extra emoji's type, and a hidden user. */
const IN_SERVICE = 1;
const HIDDEN = 2;

export function reactionVariant(reader: Reader, event: PlainEvent, queue: QueueRecord): number {
  const spelling = queue.capabilities & WANTS_SERVICE_SPELLING ? IN_SERVICE : 0;
  return isHiddenFrom(reader, queue.user_id, reactorOf(event)) ? spelling | HIDDEN : spelling;
}

/** Also contains the user object, which some clients read. */
export function reactionFor(reader: Reader, event: PlainEvent, variant: number): PlainEvent {
  const payload = { ...event, user: reactor(reader, reactorOf(event), (variant & HIDDEN) !== 0) };
  const isOther = variant & IN_SERVICE && event["reaction_type"] === EXTRA_EMOJI;
  return isOther ? { ...payload, reaction_type: EXTRA_EMOJI_OTHER } : payload;
}

function reactor(reader: Reader, user_id: number, isHidden: boolean) {
  const user = isHidden ? undefined : reader.users.get(user_id);
  if (user) return { user_id, email: emailOf(reader, user), full_name: user.full_name };
  const { email, full_name } = placeholder(reader, user_id);
  return { user_id, email, full_name };
}

const reactorOf = (event: PlainEvent) => event["user_id"] as number;
