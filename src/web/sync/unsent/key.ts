// The account's public key, by which the browser encrypts unsent texts once the session has ended.
import type { Able } from "../../api/call.ts";
import { call } from "../../api/call.ts";
import type { getUnsentKey } from "../../../features/sessions/unsent-key.ts";
import { canSeal } from "./seal.ts";

const KEY = "skein.unsent-key";
const fetchKey = call<typeof getUnsentKey>("GET", "/account/unsent/", "prefetch");

/** Fetched while the session lives; afterwards the server no longer answers. */
export async function learnAccountKey(able: Able, user_id: number): Promise<void> {
  if (!canSeal() || accountKey(user_id) !== undefined) return;
  const { public_key } = await fetchKey(able, {});
  try {
    localStorage.setItem(KEY, `${user_id} ${public_key}`);
  } catch {
    // Where storage is denied, nothing unsent is on the disk either.
  }
}

export function accountKey(user_id: number): string | undefined {
  try {
    const [of, key] = (localStorage.getItem(KEY) ?? "").split(" ");
    return Number(of) === user_id && key ? key : undefined;
  } catch {
    return undefined;
  }
}

export function forgetAccountKey(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is denied.
  }
}
