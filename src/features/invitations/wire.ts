// What inviters and administrators see of invitations.
import type { PlainEvent } from "../../events.ts";
import type { Invitation } from "../../records-people.ts";

/** `link_url` null: the link works, but can no longer be shown. undefined: a letter brought it. */
export function invitationObject(invitation: Invitation, link_url: string | null | undefined) {
  const { kind, id, invited_by_user_id, invited, expiry_date, invited_as } = invitation;
  const is_multiuse = kind === "link";
  const common = { id, invited_by_user_id, invited, expiry_date, invited_as, is_multiuse };
  if (is_multiuse) return { ...common, link_url };
  const { email, notify_referrer_on_join } = invitation;
  return {
    ...common,
    email,
    notify_referrer_on_join,
    ...(link_url !== undefined && { link_url }),
  };
}

export const invitesChanged = (): PlainEvent => ({ type: "invites_changed" });
