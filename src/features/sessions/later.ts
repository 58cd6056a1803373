// What follows when sessions have ended, and what clears away those that time has ended.
import type { Realm } from "../../realm.ts";
import type { DueJob } from "../../schema/records.ts";
import { endAll } from "./actions.ts";

/** A poll that is held in one of the queues is answered now. */
export async function endQueues({ hub }: Realm, { payload }: DueJob): Promise<void> {
  const ended = new Set((payload as { session_ids: number[] }).session_ids);
  const queues = [...hub.listeners.all()].map(({ record }) => record);
  for (const { session_id, queue_id } of queues) {
    if (session_id != null && ended.has(session_id)) hub.close(queue_id);
  }
}

/** And of sign-ins that nobody finished. */
export async function purgeSessions(realm: Realm): Promise<void> {
  const { read } = realm;
  const isOver = ({ expires }: { expires: number }) => expires <= read.now;
  if (![...read.sessions.range()].some(isOver) && ![...read.tickets.range()].some(isOver)) return;
  await realm.write((tx) => {
    endAll(tx, [...tx.sessions.range()].filter(isOver));
    for (const { hash } of [...tx.tickets.range()].filter(isOver)) tx.tickets.delete(hash);
  });
}
