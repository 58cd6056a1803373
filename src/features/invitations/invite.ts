// Invites users by email address, or with a link for several users.
import Type from "typebox";
import { invalidValue } from "../../contract/errors/channels.ts";
import { Refusal } from "../../contract/errors/general.ts";
import {
  administratorRequired,
  invitationsFailed,
  invitationsTooMany,
  inviteesMissing,
} from "../../contract/errors/people.ts";
import { MEMBER } from "../../contract/roles.ts";
import { list } from "../../contract/shapes/value-types.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import {
  bool,
  type Context,
  defaulted,
  endpoint,
  int,
  json,
  optional,
  text,
  textOf,
} from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Invitation } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import { mail } from "../mail/actions.ts";
import { checkedEmail } from "../people/names.ts";
import { checkAddress } from "../realm/addresses.ts";
import { isAdministrator } from "../rights/rules.ts";
import { type NewKey, encryptedKey } from "../secrets/encrypted.ts";
import { type Confirmation, confirmationParams, confirmInBrowser } from "../two-factor/confirm.ts";
import { checkChannels, checkGroups, checkCanInvite } from "./access.ts";
import { joinUrl } from "./actions.ts";
import { checkAddressProof } from "./confirm.ts";
import { emitInvitationsChanged } from "./revoke.ts";
import {
  addressesIn,
  INVITATIONS_KEPT_MAX,
  INVITATIONS_OPEN_MAX,
  INVITER_AGE_DAYS_MIN,
  isOpen,
  REMINDED_SECONDS_BEFORE,
  VALIDITY_MINUTES,
  VALIDITY_MINUTES_MAX,
  WELCOME_LENGTH_MAX,
} from "./rules.ts";

interface InviteAccess {
  invite_as: number;
  /** null: never expires. */
  invite_expires_in_minutes: number | null;
  stream_ids: number[];
  group_ids: number[];
  include_realm_default_subscriptions: boolean;
  notify_referrer_on_join: boolean;
  welcome_message_custom_text: string | undefined;
}

/** An address, why it was not invited, and whether it belongs to a deactivated account. */
type RejectedEmail = [email: string, reason: string, is_deactivated: boolean];

/** Invites addresses without an account, each with its own key. Returns the others. */
function inviteByEmail(
  tx: Writer,
  actingUser: User,
  invitees: ReadonlyMap<string, NewKey>,
  invited: InviteAccess,
): RejectedEmail[] {
  checkInvited(tx, actingUser, "email", invited);
  if (invitees.size === 0) throw inviteesMissing();
  const faults = [...invitees.keys()].flatMap((email) => addressFault(tx, email));
  if (faults.length > 0) {
    const message = "Some emails did not validate, so we didn't send any invitations.";
    throw invitationsFailed(message, faults);
  }
  const uninvited = [...invitees.keys()].flatMap((email) => accountOf(tx, email));
  if (uninvited.length === invitees.size) {
    throw invitationsFailed("We weren't able to invite anyone.", uninvited);
  }
  checkAddressProof(tx, actingUser, "email");
  checkRoom(tx, actingUser, invitees.size - uninvited.length);

  const skipped = new Set(uninvited.map(([email]) => email));
  for (const [email, key] of invitees) {
    if (!skipped.has(email))
      storeInvitation(tx, actingUser, { kind: "email", email }, key, invited);
  }
  emitInvitationsChanged(tx, actingUser.user_id);
  return uninvited;
}

function inviteByLink(tx: Writer, actingUser: User, key: NewKey, invited: InviteAccess): void {
  checkInvited(tx, actingUser, "link", invited);
  checkAddressProof(tx, actingUser, "link");
  checkRoom(tx, actingUser, 1);

  storeInvitation(tx, actingUser, { kind: "link", email: null }, key, invited);
  emitInvitationsChanged(tx, actingUser.user_id);
}

function checkInvited(
  reader: Reader,
  actingUser: User,
  kind: Invitation["kind"],
  invited: InviteAccess,
): void {
  const { invite_expires_in_minutes: minutes } = invited;
  checkCanInvite(reader, actingUser, kind, invited.invite_as);
  if (invited.welcome_message_custom_text !== undefined && !isAdministrator(actingUser)) {
    throw administratorRequired();
  }
  if (minutes !== null && (minutes <= 0 || minutes > VALIDITY_MINUTES_MAX)) {
    throw invalidValue("invite_expires_in_minutes");
  }
  checkChannels(reader, actingUser, invited.stream_ids);
  checkGroups(reader, actingUser, invited.group_ids);
  const days = (reader.now - actingUser.date_joined) / DAY_SECONDS;
  if (
    reader.settings.invite_required ||
    isAdministrator(actingUser) ||
    days >= INVITER_AGE_DAYS_MIN
  )
    return;
  throw invitationsFailed("Your account is too new to send invites for this organization.", []);
}

/** Errors of the address itself. */
function addressFault(reader: Reader, email: string): RejectedEmail[] {
  if (accountOf(reader, email).length > 0) return [];
  try {
    checkAddress(reader, checkedEmail(reader, email));
    return [];
  } catch (error) {
    if (error instanceof Refusal) return [[email, error.message, false]];
    throw error;
  }
}

function accountOf(reader: Reader, email: string): RejectedEmail[] {
  const user = reader.users.findBy("email", foldedAddress(email));
  if (!user) return [];
  const reason = user.is_active ? "Already has an account." : "Account has been deactivated.";
  return [[email, reason, !user.is_active]];
}

function checkRoom(reader: Reader, { user_id }: User, count: number): void {
  const own = reader.invitations.listBy("inviter", user_id);
  if (own.length + count > INVITATIONS_KEPT_MAX) throw invitationsTooMany(INVITATIONS_KEPT_MAX);
  const open = own.filter((invitation) => isOpen(invitation, reader.now)).length;
  if (open + count > INVITATIONS_OPEN_MAX) throw invitationsTooMany(INVITATIONS_OPEN_MAX);
}

function storeInvitation(
  tx: Writer,
  { user_id }: User,
  whom: Pick<Invitation, "kind" | "email">,
  { hash, sealed }: NewKey,
  invited: InviteAccess,
): void {
  const { invite_expires_in_minutes: minutes } = invited;
  const id = tx.next(whom.kind === "email" ? "invitations" : "invitation_links");
  const expiry_date = minutes === null ? null : tx.now + minutes * 60;
  tx.invitations.put({
    ...whom,
    id,
    hash,
    sealed,
    invited_by_user_id: user_id,
    invited: tx.now,
    expiry_date,
    revoked: null,
    invited_as: invited.invite_as,
    stream_ids: [...new Set(invited.stream_ids)],
    group_ids: [...new Set(invited.group_ids)],
    include_realm_default_subscriptions: invited.include_realm_default_subscriptions,
    notify_referrer_on_join: invited.notify_referrer_on_join,
    welcome_message_custom_text: invited.welcome_message_custom_text ?? null,
  });
  if (whom.kind === "link") return;
  mail(tx, { about: "invitation", id });
  const reminded = (expiry_date ?? 0) - REMINDED_SECONDS_BEFORE;
  if (reminded > tx.now) mail(tx, { about: "invitation reminder", id }, reminded);
}

const ids = json(Type.Array(Type.Integer()));
const params = {
  invite_as: defaulted(int, MEMBER),
  invite_expires_in_minutes: defaulted(
    json(Type.Union([Type.Integer(), Type.Null()])),
    VALIDITY_MINUTES,
  ),
  group_ids: defaulted(ids, []),
  include_realm_default_subscriptions: defaulted(bool, false),
  notify_referrer_on_join: defaulted(bool, true),
  welcome_message_custom_text: optional(textOf({ max: WELCOME_LENGTH_MAX })),
  // In a browser, for invitations of administrators and owners.
  ...confirmationParams,
};

/** Returns who invites. Inviting an administrator is like changing a role. */
async function confirmRole(
  context: Context,
  kind: Invitation["kind"],
  role: number,
  confirmation: Confirmation,
): Promise<(tx: Writer) => User> {
  const { realm, user } = context;
  if (!isAdministrator({ role })) return () => user;
  checkCanInvite(realm.read, user, kind, role);
  return confirmInBrowser(context, confirmation);
}

export const postInvitations = endpoint({
  summary: "Invite users by email",
  tag: "Invitations",
  params: { invitee_emails: text, stream_ids: ids, ...params },
  answer: Type.Object({
    invite_links: Type.Optional(
      list(Type.Object({ email: Type.String(), invite_link: Type.String() })),
    ),
  }),
  refuses: ["INVITATION_FAILED"],
  async run(context, { invitee_emails, password, ticket, credential, ...invited }) {
    const { realm } = context;
    const addresses = addressesIn(invitee_emails);
    if (addresses.length > INVITATIONS_OPEN_MAX) throw invitationsTooMany(INVITATIONS_OPEN_MAX);
    const proof = { password, ticket, credential };
    const actor = await confirmRole(context, "email", invited.invite_as, proof);
    const invitees = new Map(addresses.map((email) => [email, encryptedKey(realm)]));
    const uninvited = await realm.write((tx) => inviteByEmail(tx, actor(tx), invitees, invited));
    const skipped = new Set(uninvited.map(([email]) => email));
    const message = "Some of those addresses already have accounts; the others were invited.";
    if (realm.config.mail) {
      if (uninvited.length === 0) return {};
      throw invitationsFailed(message, uninvited, { sent_invitations: true });
    }
    // The links are not sent by email, so the inviter passes them on.
    const invite_links = [...invitees].flatMap(([email, { key }]) =>
      skipped.has(email) ? [] : [{ email, invite_link: joinUrl(realm, key) }],
    );
    if (uninvited.length === 0) return { invite_links };
    throw invitationsFailed(message, uninvited, { sent_invitations: true, invite_links });
  },
});

export const postInvitationLink = endpoint({
  summary: "Create an invitation link",
  tag: "Invitations",
  params: { stream_ids: defaulted(ids, []), ...params },
  answer: Type.Object({ invite_link: Type.String() }),
  refuses: ["INVITATION_FAILED"],
  async run(context, { password, ticket, credential, ...invited }) {
    const { realm } = context;
    const proof = { password, ticket, credential };
    const actor = await confirmRole(context, "link", invited.invite_as, proof);
    const key = encryptedKey(realm);
    await realm.write((tx) => inviteByLink(tx, actor(tx), key, invited));
    return { invite_link: joinUrl(realm, key.key) };
  },
});
