// The menu of an account: help with signing in, role, deactivation.
import { getState } from "../../store/store.ts";
import { boxOf } from "../../ui/anchor-box.ts";
import { openLayer } from "../../ui/layers.ts";
import { type MenuItems, openMenu } from "../../ui/menu.tsx";
import { t } from "../../words/words.ts";
import { roleItems } from "./change-role.ts";
import { openDeactivate } from "./deactivate.tsx";
import type { Person } from "../people/state.ts";
import { HELP, type HelpAction, HelpDialog } from "./help-dialog.tsx";
import { canManageAccount } from "./permissions.ts";

export function openManageMenu(
  button: HTMLElement,
  person: Person,
  isAdministrator: boolean,
  leave: () => void = () => {},
): void {
  const label = t("manage-account", { name: person.full_name });
  const box = boxOf(button);
  // Otherwise, the click would close the card together with the menu.
  leave();
  const end = {
    label: t("end-spam"),
    icon: "trash" as const,
    kind: "danger" as const,
    asks: true,
    run: () => openDeactivate(person, true),
  };
  if (!isAdministrator) return openMenu(box, label, [end]);
  const changeRole = {
    label: t("change-role"),
    icon: "shield" as const,
    asks: true,
    run: () => openMenu(box, t("org-role"), roleItems(person)),
  };
  const deactivate = {
    label: t("org-deactivate"),
    icon: "lock" as const,
    kind: "danger" as const,
    asks: true,
    run: () => openDeactivate(person),
  };
  openMenu(box, label, [changeRole, ...helpItems(person), undefined, deactivate, end]);
}

/** Returns no items for accounts that the user may not administer. */
export function helpItems(person: Person): MenuItems {
  if (!canManageAccount(getState(), person)) return [];
  const open = (help: HelpAction) => () =>
    openLayer(HELP, <HelpDialog person={person} help={help} />);
  return [
    { label: t("help-link"), icon: "key", asks: true, run: open("link") },
    { label: t("help-sign-out"), icon: "logout", asks: true, run: open("sign-out") },
    { label: t("help-two-factor"), icon: "device", asks: true, run: open("two-factor") },
  ];
}
