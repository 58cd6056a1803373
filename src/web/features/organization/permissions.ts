// The user's role in the organization, and why a setting cannot be changed.
import { GUEST } from "../../../contract/roles.ts";
import { OWNERS_ONLY } from "../../../features/realm/rules.ts";
import { subscribe, getState } from "../../store/store.ts";
import type { TextKey } from "../../words/words.ts";
import * as asker from "../channels/permissions.ts";
import { roleOf } from "../groups/permissions.ts";
import { sendsMail } from "./selectors.ts";

const state = () => {
  subscribe(`user:${getState().people.me}`);
  return getState();
};

export const isOwner = (): boolean => asker.isOwner(state());
export const isAdministrator = (): boolean => asker.isAdministrator(state());
export const isGuest = (): boolean => roleOf(state()) === GUEST;

/** Settings about the content of emails. */
const MAIL_SETTINGS = ["send_welcome_emails", "message_content_allowed_in_email_notifications"];
const owners = new Set<string>(OWNERS_ONLY);

/** Why the user may not change a setting; undefined if it is allowed. */
export function disabledReason(name: string): TextKey | undefined {
  if (owners.has(name)) return isOwner() ? undefined : "org-owners-only";
  if (!isAdministrator()) return "org-administrators-only";
  return MAIL_SETTINGS.includes(name) && !sendsMail() ? "no-mail-here" : undefined;
}
