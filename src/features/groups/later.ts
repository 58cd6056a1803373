// Job that adds new members to the full members group after the waiting period.
import type { Realm } from "../../realm.ts";
import type { DueJob } from "../../schema/records.ts";
import { becomeFullMember, type Waiting } from "./waiting.ts";

/** The job goes with what it does, so that nobody hears of it twice. */
export async function admitFullMember(realm: Realm, { at, job_id, payload }: DueJob) {
  await realm.write((tx) => {
    if (!tx.due.get(at, job_id)) return;
    becomeFullMember(tx, payload as Waiting);
    tx.due.delete(at, job_id);
  });
}
