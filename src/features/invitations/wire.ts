// The data of invitations for inviters and administrators.
import type { Static } from "typebox";
import type { PlainEvent } from "../../contract/events.ts";
import type { invitationShape } from "../../contract/shapes/people.ts";
import type { Invitation } from "../../schema/records-people.ts";

type InvitationObject = Static<typeof invitationShape>;

/**
 * `link_url` is null if the link works but cannot be shown any more, and undefined if it was sent
 * by email.
 */
export function invitationObject(
  invitation: Invitation,
  link_url: string | null | undefined,
): InvitationObject {
  const { kind, id, invited_by_user_id, invited, expiry_date, invited_as } = invitation;
  const common = { id, invited_by_user_id, invited, expiry_date, invited_as };
  if (kind === "link") return { ...common, is_multiuse: true, link_url: link_url ?? null };
  const { email, notify_referrer_on_join } = invitation;
  return {
    ...common,
    is_multiuse: false,
    email: email!,
    notify_referrer_on_join,
    ...(link_url !== undefined && { link_url }),
  };
}

export const invitesChanged = (): PlainEvent => ({ type: "invites_changed" });
