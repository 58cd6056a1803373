// Account data from the server: requested when a page shows it, and after each change.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Account, fetchAccount } from "../../../api/account-calls.ts";
import { sync } from "../../../here.ts";
import { now } from "../../../live.ts";
import { attempt } from "../form.tsx";

const loaded = signal<{ user_id: number; account: Account } | undefined>(undefined);

export async function loadAccount(): Promise<Account> {
  const user_id = now().people.me;
  const account = await fetchAccount(sync, {});
  loaded.value = { user_id, account };
  return account;
}

/** No event tells of these, so that coming back to the page asks anew. */
export function useAccount(): Account | undefined {
  useEffect(() => {
    const load = () => void attempt(loadAccount);
    load();
    addEventListener("focus", load);
    return () => removeEventListener("focus", load);
  }, []);
  // Ignores data of another user's page.
  return loaded.value?.user_id === now().people.me ? loaded.value.account : undefined;
}
