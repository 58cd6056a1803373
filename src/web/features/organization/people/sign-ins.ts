// When users signed in last, for administrators.
import { signal } from "@preact/signals";
import { fetchSignIns } from "../../../api/administration-calls.ts";
import { sync } from "../../../sync/session.ts";

/** Seconds since 1970 by user; empty until they are loaded, and for other roles. */
export const signIns = signal<ReadonlyMap<number, number>>(new Map());

export async function loadSignIns(): Promise<void> {
  const { last_sign_ins } = await fetchSignIns(sync, {});
  signIns.value = new Map(last_sign_ins.map(({ user_id, at }) => [user_id, at]));
}
