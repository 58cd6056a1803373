// Going to settings and to what concerns the organization, for the switcher and its keys.
import { go, goBelow, view } from "../../address.ts";
import { type Command, offer } from "../../commands.ts";
import { sync } from "../../here.ts";
import { known } from "../../live.ts";
import { closeLayer } from "../../ui/layers.ts";
import type { View } from "../../views.ts";
import type { Word } from "../../words/words.ts";
import { ORGANIZATION_PARTS } from "../organization/parts.tsx";
import { mayInvite } from "../organization/invitations/asked.ts";
import { readEverything, setStatus, signOut } from "../rail/menu.ts";

type Page = (View & { kind: "page" })["page"];

function to(id: string, words: Word, page: Page, section?: string): Command {
  const path = section === undefined ? [] : [section];
  return { id, words, when, run: () => go({ kind: "page", page, path }) };
}

const when = () => known() !== undefined;
/** The names in `PARTS`, whose views are loaded on demand. */
export const OWN_PAGES = [
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

offer(
  to("settings", "settings", "settings"),
  ...OWN_PAGES.map((name): Command => {
    return { ...to(`settings-${name}`, `settings-${name}`, "settings", name), within: "settings" };
  }),
  { id: "account", words: "account", when, run: leave("/account/") },
  to("organization", "organization", "organization", "profile"),
  ...ORGANIZATION_PARTS.map(({ name, words, sees }): Command => {
    return {
      ...to(`organization-${name}`, words, "organization", name),
      within: "organization",
      when: () => known() !== undefined && (sees?.() ?? true),
    };
  }),
  {
    ...to("invite", "invite-people", "invite"),
    when: () => known() !== undefined && mayInvite(),
  },
  { id: "set-status", words: "set-status", when, run: setStatus },
  { id: "mark-all-read", words: "mark-all-read", when, run: readEverything },
  { id: "sign-out", words: "sign-out", when, run: signOut },
);

/** A dialog over the view that was there, and is again when it is closed. */
view.subscribe((shown) => {
  if (shown.kind !== "page" || shown.page !== "invite") closeLayer("invite");
  else if (sync.standing.peek().kind !== "visiting") {
    void import("../organization/invitations/dialog.tsx").then(({ openInvite }) =>
      openInvite(() => {
        const now = view.peek();
        if (now.kind === "page" && now.page === "invite") goBelow();
      }),
    );
  }
});
