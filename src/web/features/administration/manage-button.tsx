// The buttons with which administrators and moderators manage or reactivate an account.
import { fetchPerson } from "../../api/manage-calls.ts";
import { sync } from "../../sync/session.ts";
import { subscribe, getState } from "../../store/store.ts";
import { Button } from "../../ui/button.tsx";
import { useRequest } from "../../ui/loading/use-request.ts";
import { t } from "../../words/words.ts";
import type { Person } from "../people/state.ts";
import { canDeactivateNewAccount, canManageAccount, canReactivate } from "./permissions.ts";

/** `leave` closes the card that contains the button. */
export function ManageButton({ person, leave }: { person: Person; leave?: () => void }) {
  subscribe("users", "realm");
  const isAdministrator = canManageAccount(getState(), person);
  const isPerhaps = canDeactivateNewAccount(getState(), person);
  const { user_id, full_name: name } = person;
  // Only the server knows whom the user has invited.
  const response = useRequest(isPerhaps ? user_id : undefined, (signal) =>
    fetchPerson(sync, { user_id }, { signal }),
  );
  const isUninvited = response?.user.signed_up === true;
  if (canReactivate(getState(), person)) {
    return (
      <Button
        kind="quiet"
        aria-label={t("org-reactivate-named", { name })}
        onClick={() => {
          leave?.();
          void reactivate(person);
        }}
      >
        {t("org-reactivate")}
      </Button>
    );
  }
  if (!isAdministrator && !(isPerhaps && isUninvited)) return null;
  const open = async (button: HTMLElement) =>
    (await import("./menu.tsx")).openManageMenu(button, person, isAdministrator, leave);
  return (
    <Button
      kind="quiet"
      aria-label={t("manage-account", { name })}
      aria-haspopup="menu"
      onClick={({ currentTarget }) => void open(currentTarget)}
    >
      {t("manage-account-short")}
    </Button>
  );
}

const reactivate = async (person: Person): Promise<void> =>
  (await import("./deactivate.tsx")).reactivateAccount(person);
