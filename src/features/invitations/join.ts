// Joining: the account of who follows an invitation, or signs up where anybody may.
import { invitationNotFound, signUpClosed } from "../../errors-people.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Invitation } from "../../records-people.ts";
import type { User } from "../../records.ts";
import { defaultChannelIds } from "../channels/wire.ts";
import { mail } from "../mail/actions.ts";
import { sendNoticeToChannel, sendNoticeToPeople } from "../messages/notices.ts";
import { UNMAILED } from "../messages/rules.ts";
import { sendMessage } from "../messages/send.ts";
import { checkMayJoin } from "../realm/addresses.ts";
import { createUser } from "../users/actions.ts";
import { MEMBER } from "../users/rules.ts";
import { membersAdded } from "../users/wire.ts";
import { invitationOf } from "./access.ts";
import { useUpInvitations } from "./ending.ts";

export interface Newcomer {
  email: string;
  full_name: string;
  /** Without one, another server vouches for the person at each sign-in. */
  password_hash?: string;
}

const SIGN_UPS_TOPIC = "signups";
const WELCOME_BOT = "welcome bot";

/** By the hash of an invitation's key; an invitation to one address is for that alone. */
export function joinByInvitation(tx: Writer, hash: string, newcomer: Newcomer): User {
  const invitation = invitationOf(tx, hash);
  if (!invitation) throw invitationNotFound();
  const email = invitation.email ?? newcomer.email;
  checkMayJoin(tx, email);

  const user = createUser(tx, null, {
    ...newcomer,
    email,
    role: invitation.invited_as,
    stream_ids: channelsOf(tx, invitation),
  });
  for (const group_id of invitation.group_ids) addToGroup(tx, group_id, user);
  useUpInvitations(tx, user.delivery_email);
  if (invitation.notify_referrer_on_join) {
    const told = `${mentionOf(user)} accepted your invitation to join this organization.`;
    sendNoticeToPeople(tx, [invitation.invited_by_user_id], told);
  }
  greet(tx, user, invitation.welcome_message_custom_text);
  return user;
}

export function signUp(tx: Writer, newcomer: Newcomer): User {
  if (tx.settings.invite_required) throw signUpClosed();
  checkMayJoin(tx, newcomer.email);

  const user = createUser(tx, null, { ...newcomer, role: MEMBER });
  useUpInvitations(tx, user.delivery_email);
  greet(tx, user, null);
  return user;
}

/** Those that are still there. */
function channelsOf(reader: Reader, invitation: Invitation): number[] {
  const { stream_ids, include_realm_default_subscriptions } = invitation;
  const all = include_realm_default_subscriptions
    ? [...stream_ids, ...defaultChannelIds(reader)]
    : stream_ids;
  const there = (id: number) => reader.channels.get(id)?.is_archived === false;
  return [...new Set(all)].filter(there);
}

function addToGroup(tx: Writer, group_id: number, { user_id }: User): void {
  const group = tx.groups.get(group_id);
  if (!group || group.deactivated) return;
  tx.group_members.put({ group_id, user_id });
  tx.emit(membersAdded(group_id, [user_id]), { to: "realm" });
}

/** Where the organization announces newcomers, and to the newcomer, by mail and by message. */
export function greet(tx: Writer, user: User, words: string | null): void {
  const channel = tx.channels.get(tx.settings.signup_announcements_stream_id);
  if (channel && !channel.is_archived) {
    sendNoticeToChannel(tx, channel, SIGN_UPS_TOPIC, `${mentionOf(user)} joined.`);
  }
  if (tx.settings.send_welcome_emails) mail(tx, { about: "welcome", user_id: user.user_id });
  sendWelcome(tx, user, firstWords(tx));
  const welcome = words ?? tx.settings.welcome_message_custom_text;
  if (welcome.trim() !== "") sendWelcome(tx, user, welcome);
}

/** Gives the message's id. */
export function sendWelcome(tx: Writer, { user_id }: User, words: string): number {
  const bot = tx.users.by("name", WELCOME_BOT).find((other) => other.is_system_bot)!;
  return sendMessage(tx, bot, { user_ids: [user_id] }, words, { bits: UNMAILED }).id;
}

/** A name may hold anything, and mentions nobody. */
function firstWords({ settings }: Reader): string {
  const name = settings.name.replace(/[*`_\\[\]<>@#:]/g, "");
  return (
    `Hello, and welcome to **${name}**!\n\n` +
    "Channels hold conversations, each under its topic: pick a channel, read what is being said, " +
    "and answer under the same topic, or begin a new one. This is a direct message, which only " +
    "you and I can read."
  );
}

const mentionOf = ({ full_name, user_id }: User) => `@_**${full_name}|${user_id}**`;
