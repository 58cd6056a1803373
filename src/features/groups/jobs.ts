// Job that adds new members to the full members group after the waiting period.
import type { Realm } from "../../realm.ts";
import type { DueJob } from "../../schema/records.ts";
import { becomeFullMember, type MembershipJob } from "./full-members.ts";

/** The transaction also deletes the job, so that events are emitted only once. */
export async function admitFullMember(realm: Realm, { at, job_id, payload }: DueJob) {
  await realm.write((tx) => {
    if (!tx.due.get(at, job_id)) return;
    becomeFullMember(tx, payload as MembershipJob);
    tx.due.delete(at, job_id);
  });
}
