// Forgets which message a send made, once no client retries it any more.
import type { Realm } from "../../realm.ts";

const SENDS_KEPT_SECONDS = 86_400;
const STEP_ROWS_MAX = 2_000;

export async function purgeSends(realm: Realm): Promise<void> {
  const before = realm.read.now - SENDS_KEPT_SECONDS;
  const old: [number, string][] = [];
  for (const send of realm.read.sends.range()) {
    if (send.timestamp < before) old.push([send.user_id, send.token]);
  }
  for (let at = 0; at < old.length; at += STEP_ROWS_MAX) {
    await realm.write((tx) => {
      for (const key of old.slice(at, at + STEP_ROWS_MAX)) tx.sends.delete(...key);
    });
  }
}
