// Commands for opening settings and organization pages.
import { go } from "../../store/address.ts";
import { registerDialogPage } from "../../store/dialog-page.ts";
import { type Command, registerCommands } from "../../ui/keys/commands.ts";
import { sync } from "../../sync/session.ts";
import { maybeState } from "../../store/store.ts";
import type { View } from "../../views.ts";
import { t, type TextKey } from "../../words/words.ts";
import { ORGANIZATION_PAGES } from "../../features/organization/pages.tsx";
import { canInvite } from "../../features/organization/invitations/draft.ts";
import { markAllAsRead, setStatus, signOut } from "../../features/sidebar/menu.ts";

type ShellPage = (View & { kind: "page" })["page"];

function pageCommand(id: string, textKey: TextKey, page: ShellPage, section?: string): Command {
  const path = section === undefined ? [] : [section];
  return { id, textKey, when, run: () => go({ kind: "page", page, path }) };
}

const when = () => maybeState() !== undefined;
/** The names in `SETTINGS_PAGES`, whose views are loaded on demand. */
const OWN_PAGES = [
  "profile",
  "preferences",
  "notifications",
  "privacy",
  "account",
  "security",
  "lists",
  "bots",
  "files",
  "device",
] as const;
const leave = (address: string) => () => location.assign(address);

registerCommands(
  pageCommand("settings", "settings", "settings"),
  ...OWN_PAGES.map((name): Command => {
    return {
      ...pageCommand(`settings-${name}`, `settings-${name}`, "settings", name),
      group: "settings",
    };
  }),
  { id: "account", textKey: "account", when, run: leave("/account/") },
  pageCommand("organization", "organization", "organization", "profile"),
  ...ORGANIZATION_PAGES.map(({ name, textKey, isVisible: canSee }): Command => {
    return {
      ...pageCommand(`organization-${name}`, textKey, "organization", name),
      group: "organization",
      when: () => maybeState() !== undefined && (canSee?.() ?? true),
    };
  }),
  {
    ...pageCommand("invite", "invite-people", "invite"),
    when: () => maybeState() !== undefined && canInvite(),
  },
  { id: "set-status", textKey: "set-status", when, run: setStatus },
  { id: "mark-all-read", textKey: "mark-all-read", when, run: markAllAsRead },
  { id: "sign-out", textKey: "sign-out", when, run: signOut },
);

registerDialogPage({
  page: "invite",
  id: "invite",
  title: () => t("invite-people"),
  load: () => import("../../features/organization/invitations/dialog.tsx"),
  open:
    (_, leave) =>
    ({ openInvite }) =>
      openInvite(leave),
  isAllowed: () => sync.connection.peek().kind !== "visiting",
});
