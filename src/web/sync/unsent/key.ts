// The account's public key, for encrypting unsent content after the session has ended.
import { type ApiClient, call } from "../../api/call.ts";
import { orUndefined } from "../../api/session.ts";
import type { getUnsentKey } from "../../../features/sessions/unsent-key.ts";
import { canSeal } from "./seal.ts";

const KEY = "skein.unsent-key";
const fetchKey = call<typeof getUnsentKey>("GET", "/account/unsent/", "prefetch");

/** Fetched during the session, because the server requires one. */
export async function fetchAccountKey(client: ApiClient, user_id: number): Promise<void> {
  if (!canSeal() || accountKey(user_id) !== undefined) return;
  const { public_key } = await fetchKey(client, {});
  orUndefined(() => localStorage.setItem(KEY, `${user_id} ${public_key}`));
}

export function accountKey(user_id: number): string | undefined {
  const [storedUserId, key] = (orUndefined(() => localStorage.getItem(KEY)) ?? "").split(" ");
  return Number(storedUserId) === user_id && key ? key : undefined;
}

export const forgetAccountKey = (): void => orUndefined(() => localStorage.removeItem(KEY));
