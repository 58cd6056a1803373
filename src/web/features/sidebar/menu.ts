// The menus of the organization's name and of the user: pages and sign-out.
import { go } from "../../store/address.ts";
import { runCommand } from "../../ui/keys/commands.ts";
import { getState, invalidate } from "../../store/store.ts";
import type { Box } from "../../ui/anchor-box.ts";
import { lazyDialog } from "../../ui/loading/lazy-layer.tsx";
import { type MenuItem, type MenuItems, openMenu } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toast.tsx";
import type { Page } from "../../views.ts";
import { t, type TextKey } from "../../words/words.ts";
import { doNotDisturbEnd } from "../notifications/do-not-disturb-end.ts";
import { OPEN_END } from "../notifications/do-not-disturb-rules.ts";
import { doNotDisturbTime } from "../notifications/do-not-disturb-indicator.tsx";
import { canInvite } from "../organization/invitations/draft.ts";
import { changeOwnSetting } from "../settings/actions.ts";
import { markOlderAsRead, markConversationsAsRead } from "../unread/actions.ts";

/** The menu of the organization. */
export function openMainMenu(anchor: Element | Box, name: string): void {
  openMenu(anchor, name, mainMenu(), { turn: turnFrom("main") });
}

/** The menu of the user's own account. */
export function openOwnMenu(anchor: Element, name: string): void {
  openMenu(anchor, name, ownMenu(), { turn: turnFrom("own") });
}

export function openHelpMenu(): void {
  openMenu(buttonOf("help"), t("help-pages"), helpMenu(), { turn: turnFrom("help") });
}

/** In visual order, in which the arrow keys cycle through them. */
const MENUS = ["help", "main", "own"] as const;
type MenuName = (typeof MENUS)[number];

const turnFrom = (name: MenuName) => (direction: 1 | -1) => {
  const next = MENUS[(MENUS.indexOf(name) + direction + MENUS.length) % MENUS.length]!;
  if (next === "help") openHelpMenu();
  else if (next === "main") openMainMenu(buttonOf(next), t("organization"));
  else openOwnMenu(buttonOf(next), t("yourself"));
};

/** In some layouts, the help menu has no button and opens beside the organization's button. */
const buttonOf = (name: MenuName): Element =>
  document.querySelector(name === "own" ? ".sidebar-user" : ".sidebar-organization") ??
  document.body;

function mainMenu(): MenuItems {
  const { isCut } = getState().unread;
  const page = (name: Page, path: string[]) => () => go({ kind: "page", page: name, path });
  return [
    { label: t("organization"), icon: "org", run: page("organization", ["profile"]) },
    ...(canInvite()
      ? [
          {
            label: t("invite-people"),
            icon: "invite" as const,
            asks: true,
            run: page("invite", []),
          },
        ]
      : []),
    { label: t("browse-channels"), icon: "hash", run: page("channels", ["all"]) },
    { label: t("groups"), icon: "people", run: page("groups", ["all"]) },
    undefined,
    { label: t("mark-all-read"), icon: "check", run: markAllAsRead },
    ...(isCut
      ? [{ label: t("mark-older-read"), icon: "check" as const, run: () => void markOlderAsRead() }]
      : []),
    helpPage("help-pages", "/help/"),
    { label: t("shortcuts"), icon: "keyboard", keys: "?", run: () => runCommand("shortcuts") },
    { label: t("about-skein"), icon: "help", run: () => runCommand("about") },
  ];
}

function helpMenu(): MenuItems {
  return [
    helpPage("help-pages", "/help/"),
    helpPage("help-formatting", "/help/formatting/"),
    helpPage("help-search", "/help/search/"),
    { label: t("shortcuts"), icon: "keyboard", keys: "?", run: () => runCommand("shortcuts") },
    { label: t("about-skein"), icon: "help", run: () => runCommand("about") },
  ];
}

const helpPage = (textKey: TextKey, path: string): MenuItem => ({
  label: t(textKey),
  icon: "help",
  run: () => void window.open(path, "_blank", "noopener"),
});

function ownMenu(): MenuItems {
  return [
    { label: t("set-status"), icon: "smile", asks: true, run: () => void setStatus() },
    {
      label: t("go-invisible"),
      icon: "eyeoff",
      isChecked: isInvisible(),
      run: () => void toggleInvisible(),
    },
    doNotDisturbItem(),
    {
      label: t("profile"),
      icon: "person",
      run: () => go({ kind: "page", page: "user", path: [`${getState().people.me}`] }),
    },
    undefined,
    {
      label: t("settings"),
      icon: "settings",
      run: () => go({ kind: "page", page: "settings", path: ["profile"] }),
    },
    { label: t("account"), icon: "key", run: () => location.assign("/account/") },
    { label: t("shortcuts"), icon: "keyboard", keys: "?", run: () => runCommand("shortcuts") },
    undefined,
    { label: t("sign-out"), icon: "logout", run: () => void signOut() },
  ];
}

/** Turns Do Not Disturb on or off, on all devices. */
function doNotDisturbItem(): MenuItem {
  const end = doNotDisturbEnd.peek();
  const isOff = end === undefined;
  const id = isOff ? "quiet" : "quiet-end";
  const isOpen = end === undefined || end >= OPEN_END;
  const note = isOpen ? "" : t("do-not-disturb-ends", { time: doNotDisturbTime(end) });
  const label = t(isOff ? "do-not-disturb" : "do-not-disturb-end");
  return { label, icon: "bell-off", asks: isOff, note, run: () => runCommand(id) };
}

const isInvisible = () => getState().settings.settings["presence_enabled"] === false;

async function toggleInvisible(): Promise<void> {
  const isHidden = !isInvisible();
  await changeOwnSetting("presence_enabled", !isHidden);
  invalidate([`presence:${getState().people.me}`]);
  if (isInvisible() === isHidden)
    showToast({ text: t(isHidden ? "now-invisible" : "now-visible") });
}

export async function signOut(): Promise<void> {
  const { signOut: ask } = await import("../settings/account/sign-out.tsx");
  await ask();
}

const status = lazyDialog(() => import("../presence/status.tsx"));

export async function setStatus(): Promise<void> {
  await status(
    "status",
    () => t("set-status"),
    ({ openStatus }) => openStatus(),
  );
}

export function markAllAsRead(): void {
  markConversationsAsRead(getState().unread.conversations.values());
}
