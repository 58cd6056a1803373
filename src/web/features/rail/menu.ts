// The menus of the organization's name and of the user: pages and sign-out.
import { go } from "../../address.ts";
import { runCommand } from "../../commands.ts";
import { known, touch } from "../../live.ts";
import type { Box } from "../../ui/box.ts";
import { type MenuItem, type MenuItems, openMenu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { Page } from "../../views.ts";
import { say, type Word } from "../../words/words.ts";
import { quietEnd } from "../notifications/quiet-end.ts";
import { quietTime } from "../notifications/quiet-sign.tsx";
import { mayInvite } from "../organization/invitations/asked.ts";
import { changeOwnSetting } from "../settings/actions.ts";
import { readOlder, readPlaces } from "../unread/actions.ts";

/** The menu of the organization. */
export function openMainMenu(beside: Element | Box, name: string): void {
  openMenu(beside, name, mainMenu(), turnFrom("main"));
}

/** The menu of one's own account. */
export function openOwnMenu(beside: Element, name: string): void {
  openMenu(beside, name, ownMenu(), turnFrom("own"));
}

export function openHelpMenu(): void {
  openMenu(buttonOf("help"), say("help-pages"), helpMenu(), turnFrom("help"));
}

/** From left to right, as the arrows go from one to the next, in a round. */
const MENUS = ["help", "main", "own"] as const;
type MenuName = (typeof MENUS)[number];

const turnFrom = (name: MenuName) => (by: 1 | -1) => {
  const next = MENUS[(MENUS.indexOf(name) + by + MENUS.length) % MENUS.length]!;
  if (next === "help") openHelpMenu();
  else if (next === "main") openMainMenu(buttonOf(next), say("organization"));
  else openOwnMenu(buttonOf(next), say("yourself"));
};

/** Help has none of its own in the frame; where the rail is not in sight, it is as good. */
const buttonOf = (name: MenuName): Element =>
  document.querySelector(name === "own" ? ".rail-me" : ".rail-org") ?? document.body;

function mainMenu(): MenuItems {
  const { isCut } = known()!.unread;
  const page = (name: Page, path: string[]) => () => go({ kind: "page", page: name, path });
  return [
    { label: say("organization"), icon: "org", run: page("organization", ["profile"]) },
    ...(mayInvite()
      ? [{ label: say("invite-people"), icon: "invite" as const, run: page("invite", []) }]
      : []),
    { label: say("browse-channels"), icon: "hash", run: page("channels", ["all"]) },
    { label: say("groups"), icon: "people", run: page("groups", ["all"]) },
    undefined,
    { label: say("mark-all-read"), icon: "check", run: readEverything },
    ...(isCut
      ? [{ label: say("mark-older-read"), icon: "check" as const, run: () => void readOlder() }]
      : []),
    helpPage("help-pages", "/help/"),
    { label: say("shortcuts"), icon: "help", keys: "?", run: () => runCommand("shortcuts") },
    { label: say("about-skein"), icon: "help", run: () => runCommand("about") },
  ];
}

function helpMenu(): MenuItems {
  return [
    helpPage("help-pages", "/help/"),
    helpPage("help-formatting", "/help/formatting/"),
    helpPage("help-search", "/help/search/"),
    { label: say("shortcuts"), icon: "help", keys: "?", run: () => runCommand("shortcuts") },
    { label: say("about-skein"), icon: "help", run: () => runCommand("about") },
  ];
}

const helpPage = (words: Word, path: string): MenuItem => ({
  label: say(words),
  icon: "help",
  run: () => void window.open(path, "_blank", "noopener"),
});

function ownMenu(): MenuItems {
  return [
    { label: say("set-status"), icon: "smile", run: () => void setStatus() },
    {
      label: say("be-invisible"),
      icon: "eyeoff",
      isChecked: isInvisible(),
      run: () => void toggleInvisible(),
    },
    quietItem(),
    {
      label: say("profile"),
      icon: "person",
      run: () => go({ kind: "page", page: "user", path: [`${known()!.people.me}`] }),
    },
    undefined,
    {
      label: say("settings"),
      icon: "settings",
      run: () => go({ kind: "page", page: "settings", path: ["profile"] }),
    },
    { label: say("account"), icon: "key", run: () => location.assign("/account/") },
    { label: say("shortcuts"), icon: "help", keys: "?", run: () => runCommand("shortcuts") },
    undefined,
    { label: say("sign-out"), icon: "logout", run: () => void signOut() },
  ];
}

/** Keeps notifications quiet on all devices. */
function quietItem(): MenuItem {
  const end = quietEnd.peek();
  const id = end === undefined ? "quiet-short" : "quiet-end";
  const note = end === undefined ? "" : say("quiet-ends", { time: quietTime(end / 1000) });
  return { label: say(id), icon: "bell-off", note, run: () => runCommand(id) };
}

const isInvisible = () => known()!.settings.settings["presence_enabled"] === false;

async function toggleInvisible(): Promise<void> {
  const isHidden = !isInvisible();
  await changeOwnSetting("presence_enabled", !isHidden);
  touch(new Set([`presence:${known()!.people.me}`]));
  if (isInvisible() === isHidden)
    showToast({ words: say(isHidden ? "now-invisible" : "now-visible") });
}

export async function signOut(): Promise<void> {
  const { signOut: ask } = await import("../settings/account/sign-out.tsx");
  await ask();
}

export async function setStatus(): Promise<void> {
  const { openStatus } = await import("../presence/status.tsx");
  openStatus();
}

export function readEverything(): void {
  readPlaces(known()!.unread.places.values());
}
