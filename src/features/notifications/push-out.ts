// A message that concerns people who are told by push leaves the work of pushing it.
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { DueJob } from "../../schema/records.ts";
import { leaveWaiting } from "../push/queue/waiting.ts";
import { userSetting } from "../settings/rules.ts";
import { isActive, isLeftAlone } from "./activity.ts";
import { recipientsOf, triggerOf } from "./trigger.ts";

export const PUSH_OUT = "push out";
export const PUSH_OUTS_AT_ONCE = 2;
const PEOPLE_AT_ONCE = 500;

/** The people go in the order of their ids; those up to `after` are done. */
interface Spread {
  message_id: number;
  after: number;
}

export function hasPush(reader: Reader, user_id: number): boolean {
  return reader.push_subscriptions.countBy("user", user_id) > 0;
}

/** It concerns somebody who is told by push. */
export function pushAbout(tx: Writer, message_id: number, after = 0): void {
  tx.enqueue(PUSH_OUT, tx.now * 1000, { message_id, after } satisfies Spread);
}

/** A part of the people, and the work for the others, so that a crash tells nobody twice. */
export async function pushOut(realm: Realm, { at, job_id, payload }: DueJob): Promise<void> {
  const { message_id, after } = payload as Spread;
  await realm.write((tx) => {
    if (!tx.due.get(at, job_id)) return;
    tx.due.delete(at, job_id);
    const message = tx.messages.get(message_id);
    const people = message ? [...recipientsOf(tx, message)] : [];
    const left = people.filter((id) => id > after && hasPush(tx, id)).sort((a, b) => a - b);
    const some = left.slice(0, PEOPLE_AT_ONCE);
    for (const user_id of some) {
      if (isPushedTo(realm, tx, user_id, message_id)) leavePush(tx, user_id, message_id);
    }
    if (left.length > some.length) pushAbout(tx, message_id, some.at(-1));
  });
}

/** Whether the person is to be told of the message just now. */
export function isPushedTo(
  realm: Realm,
  reader: Reader,
  user_id: number,
  message_id: number,
): boolean {
  const [user, message] = [reader.users.get(user_id), reader.messages.get(message_id)];
  if (!user || !message || isLeftAlone(reader, user)) return false;
  if (!triggerOf(reader, user, message, "push")) return false;
  const isToldAlways = userSetting(user, "enable_online_push_notifications") === true;
  return isToldAlways || !isActive(realm, user_id);
}

export function leavePush(tx: Writer, user_id: number, message_id: number): void {
  for (const { push_id, after_message_id } of tx.push_subscriptions.by("user", user_id)) {
    if (message_id <= after_message_id) continue;
    leaveWaiting(tx, { push_id, message_id, is_removal: false });
  }
}
