// The user's role in the organization, and why a setting cannot be changed.
import { GUEST } from "../../../contract/roles.ts";
import { OWNERS_ONLY } from "../../../features/realm/rules.ts";
import { keyed, now } from "../../live.ts";
import type { Word } from "../../words/words.ts";
import * as asker from "../channels/asker.ts";
import { roleOf } from "../groups/may.ts";
import { sendsMail } from "../notifications/mail.ts";

const state = () => {
  keyed(`user:${now().people.me}`);
  return now();
};

export const isOwner = (): boolean => asker.isOwner(state());
export const isAdministrator = (): boolean => asker.isAdministrator(state());
export const isGuest = (): boolean => roleOf(state()) === GUEST;

/** Settings about the content of emails. */
const OF_MAIL = ["send_welcome_emails", "message_content_allowed_in_email_notifications"];
const owners = new Set<string>(OWNERS_ONLY);

/** Why one may not change a setting; undefined: one may. */
export function whyNot(name: string): Word | undefined {
  if (owners.has(name)) return isOwner() ? undefined : "org-owners-only";
  if (!isAdministrator()) return "org-administrators-only";
  return OF_MAIL.includes(name) && !sendsMail() ? "no-mail-here" : undefined;
}
