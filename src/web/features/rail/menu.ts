// What the organization's name and one's own open: pages, and going away.
import { go } from "../../address.ts";
import { runCommand } from "../../commands.ts";
import { known } from "../../live.ts";
import { type MenuItems, openMenu } from "../../ui/menu.tsx";
import { say } from "../../words/words.ts";
import { readPlaces } from "../unread/actions.ts";

/** Of the organization. */
export function openMainMenu(beside: Element, name: string): void {
  openMenu(beside, name, mainMenu());
}

/** Of oneself. */
export function openOwnMenu(beside: Element, name: string): void {
  openMenu(beside, name, ownMenu());
}

function mainMenu(): MenuItems {
  const { own } = known()!.people;
  const mayInvite = own["is_guest"] !== true;
  const page = (name: "organization" | "invite", path: string[]) => () =>
    go({ kind: "page", page: name, path });
  return [
    { label: say("organization"), icon: "org", run: page("organization", ["profile"]) },
    ...(mayInvite
      ? [{ label: say("invite-people"), icon: "invite" as const, run: page("invite", []) }]
      : []),
    undefined,
    { label: say("mark-all-read"), icon: "check", run: readEverything },
    { label: say("shortcuts"), icon: "help", keys: "?", run: () => runCommand("shortcuts") },
  ];
}

function ownMenu(): MenuItems {
  return [
    { label: say("set-status"), icon: "smile", run: () => void setStatus() },
    undefined,
    {
      label: say("settings"),
      icon: "settings",
      run: () => go({ kind: "page", page: "settings", path: ["profile"] }),
    },
    { label: say("account"), icon: "key", run: () => location.assign("/account/") },
    { label: say("shortcuts"), icon: "help", keys: "?", run: () => runCommand("shortcuts") },
    undefined,
    { label: say("sign-out"), icon: "logout", run: () => location.assign("/accounts/logout/") },
  ];
}

async function setStatus(): Promise<void> {
  const { openStatus } = await import("../presence/status.tsx");
  openStatus();
}

export function readEverything(): void {
  readPlaces(known()!.unread.places.values());
}
