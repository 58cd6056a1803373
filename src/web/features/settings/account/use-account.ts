// Account data from the server: requested when a page shows it, and after each change.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Account, fetchAccount } from "../../../api/account-calls.ts";
import { sync } from "../../../sync/session.ts";
import { getState } from "../../../store/store.ts";
import { runWithToast } from "../../../ui/form/save-errors.ts";

const loaded = signal<{ user_id: number; account: Account } | undefined>(undefined);

export async function loadAccount(): Promise<Account> {
  const user_id = getState().people.me;
  const account = await fetchAccount(sync, {});
  loaded.value = { user_id, account };
  return account;
}

/** There are no events for this data, so it is requested again whenever the page opens. */
export function useAccount(): Account | undefined {
  useEffect(() => {
    const load = () => void runWithToast(loadAccount);
    load();
    addEventListener("focus", load);
    return () => removeEventListener("focus", load);
  }, []);
  // Ignores data of another user's page.
  return loaded.value?.user_id === getState().people.me ? loaded.value.account : undefined;
}
