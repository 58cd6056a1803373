// Changes the role of an account, after a dialog that explains the new role.
import { ADMINISTRATOR, GUEST, MEMBER, MODERATOR, OWNER } from "../../../contract/roles.ts";
import { ownValue } from "../../../text/input/own-value.ts";
import { changePerson } from "../../api/organization-calls.ts";
import { sync } from "../../sync/session.ts";
import { getState } from "../../store/store.ts";
import type { MenuItems } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import { t, type TextKey } from "../../words/words.ts";
import { canAdminister, rolesFor } from "../organization/people/permissions.ts";
import { roleWord } from "../people/selectors.ts";
import { type Person, personOf } from "../people/state.ts";
import { openIdentityDialog } from "../settings/identity-dialog.tsx";

const ROLE_MEANINGS: Readonly<Record<number, TextKey>> = {
  [OWNER]: "role-means-owner",
  [ADMINISTRATOR]: "role-means-administrator",
  [MODERATOR]: "role-means-moderator",
  [MEMBER]: "role-means-member",
  [GUEST]: "role-means-guest",
};

/** Describes the permissions of the role; "" for roles of later versions. */
export function roleMeaning(role: number): string {
  const word = ownValue(ROLE_MEANINGS, role);
  return word === undefined ? "" : t(word);
}

const nameOf = (role: number) => t(roleWord({ role, is_bot: false }));

/** The roles that the user may give to the account. */
export function roleItems(person: Person): MenuItems {
  return rolesFor(person).map((role) => ({
    label: nameOf(role),
    isChecked: role === person.role,
    run: () => openRoleChange(person, role),
  }));
}

function openRoleChange({ user_id, full_name: name, role: before }: Person, role: number): void {
  if (role === before) return;
  const isMe = user_id === getState().people.me;
  openIdentityDialog({
    title: t("role-change", { name, role: nameOf(role) }),
    about: [roleMeaning(role), ...(isMe ? [t("role-own-lost", { role: nameOf(before) })] : [])],
    button: t("role-change-now"),
    kind: "primary",
    isAllowed: () => {
      const person = personOf(getState().people, user_id);
      // Users who lower their own role lose the permission with it.
      return isMe || (person !== undefined && canAdminister(person));
    },
    // A passkey confirms a single request.
    action: (proof) => changePerson(sync, { user_id, role, ...proof }, { isRetried: false }),
    onDone: () => showToast({ text: t("org-role-given", { name, role: nameOf(role) }) }),
  });
}
