// Deactivates and reactivates accounts; their data is kept.
import Type from "typebox";
import { userIsDeactivated, userNotFound } from "../../contract/errors/channels.ts";
import {
  botNamesakeActive,
  deletedForGood,
  lastUserStaysActive,
  onlyOwnerStaysActive,
  ownerRequired,
} from "../../contract/errors/people.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { endpoint, int, json, optional, textOf } from "../../endpoint.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { Group, Subscription, User } from "../../schema/records.ts";
import { recordAct } from "../audit/record.ts";
import { checkCanMakeBots, isNameTaken } from "../bots/access.ts";
import { BOT_KEY_CLIENT } from "../bots/rules.ts";
import { emitBot } from "../bots/events.ts";
import { begin, suspend } from "../channels/subscription-intervals.ts";
import { emitPeerEvents } from "../channels/subscriptions/peers.ts";
import { peersAdded, peersRemoved } from "../channels/wire.ts";
import { emitSettingsNaming } from "../groups/setting-updates.ts";
import { groupEvent, systemGroupsOf } from "../groups/wire.ts";
import { revokeInvitationsOf } from "../invitations/revoke.ts";
import { replaceKeys } from "../keys/actions.ts";
import { mail } from "../mail/actions.ts";
import { deleteSentLater } from "../messages/delete/by-sender.ts";
import { accessToAdminister, accessUser } from "../people/access.ts";
import {
  limitedNonViewers,
  guestsGainingAccess,
  limitedViewers,
  emitHidden,
  emitVisible,
} from "../people/events.ts";
import { membersAdded, membersRemoved, userUpdated } from "../people/wire.ts";
import { systemGroupId } from "../rights/access.ts";
import { isNewMember } from "../rights/new-member-rules.ts";
import {
  DEACTIVATION_COMMENT_LENGTH_MAX,
  isAdministrator,
  isBot,
  isModerator,
  isOwner,
  publicEmail,
} from "../rights/rules.ts";
import { type NewKey, encryptedKey } from "../secrets/encrypted.ts";
import { endSessionsOf } from "../sessions/actions.ts";
import { userSetting } from "../settings/rules.ts";
import { confirmationParams, confirmInBrowser } from "../two-factor/confirm.ts";
import { eraseProfile } from "./erase.ts";

/** Returns the deactivated accounts: this one, preceded by its bots. */
export function deactivateUser(tx: Writer, actingUser: User, user_id: number): User[] {
  const user = accessToDeactivate(tx, actingUser, user_id);

  return deactivateWithBots(tx, user);
}

function accessToDeactivate(reader: Reader, actingUser: User, user_id: number): User {
  const user = accessAsModerator(reader, actingUser, user_id);
  if (isBot(user) && actingUser.user_id !== user_id) throw userNotFound();
  if (!user.is_active) throw userIsDeactivated();
  if (isOwner(user) && !isOwner(actingUser)) throw ownerRequired();
  if (isOnlyOwner(reader, user)) throw onlyOwnerStaysActive();
  return user;
}

/** Moderators can deactivate new accounts that joined without an invitation, to stop spam. */
function accessAsModerator(reader: Reader, actingUser: User, user_id: number): User {
  if (isModerator(actingUser) && !isBot(actingUser)) {
    const user = accessUser(reader, actingUser, user_id);
    if (isNewMember(user, reader.settings, reader.now)) return user;
  }
  return accessToAdminister(reader, actingUser, user_id);
}

/** Deactivates the user's own account, unless no owner would be left. */
function deactivateOwnAccount(tx: Writer, { user_id }: User): User[] {
  const user = tx.users.get(user_id)!;
  if (isOnlyOwner(tx, user)) throw lastUserStaysActive(true);
  if (!activePeople(tx).some((other) => other.user_id !== user_id)) {
    throw lastUserStaysActive(false);
  }

  return deactivateWithBots(tx, user);
}

/** A bot whose owner is deactivated becomes the caller's, with `key` as its API key. */
function reactivateUser(tx: Writer, actingUser: User, user_id: number, key: NewKey): void {
  const user = accessToAdminister(tx, actingUser, user_id);
  if (user.is_active) return;
  if (user.is_deleted) throw deletedForGood();
  const { bot_owner_id } = user;
  const isOrphan = bot_owner_id !== null && !tx.users.get(bot_owner_id)?.is_active;
  if (isBot(user)) {
    checkCanMakeBots(tx, actingUser, user.bot_type);
    if (isNameTaken(tx, user.full_name)) throw botNamesakeActive(user.full_name);
    // The new owner can read the bot's API key.
    if (isOrphan && isOwner(user) && !isOwner(actingUser)) throw ownerRequired();
  }

  const active = {
    ...user,
    is_active: true,
    bot_owner_id: isOrphan ? actingUser.user_id : bot_owner_id,
  };
  tx.users.put(active);
  const suspended = ownSubscriptions(tx, user_id).filter((sub) => sub.suspended);
  const guests = guestsGainingAccess(tx, active, suspended);
  emitVisible(tx, active, guests, publicEmail(active));
  const audience = { to: "seers", user_id, except: guests } as const;
  tx.emit(userUpdated(user_id, { is_active: true }), audience);
  if (!isBot(active)) {
    const consented = userSetting(active, "allow_private_data_export");
    tx.emit({ type: "realm_export_consent", user_id, consented }, { to: "administrators" });
  } else if (isOrphan) {
    replaceKeys(tx, active, BOT_KEY_CLIENT, key);
    emitBot(tx, active);
    tx.emit(userUpdated(user_id, { bot_owner_id: actingUser.user_id }), audience);
  }
  const seqOf = emitPeerEvents(tx, peersAdded, suspended.map(channelOf), user_id);
  for (const sub of suspended) begin(tx, sub, seqOf(sub.stream_id));
  for (const group of groupsOf(tx, active)) {
    tx.emit(groupEvent(group, membersAdded(group.id, [user_id])), { to: "realm" });
  }
  emitSettingsNaming(tx, user_id);
}

export function isOnlyOwner(reader: Reader, user: User): boolean {
  if (!isOwner(user) || isBot(user)) return false;
  return !activePeople(reader).some((other) => isOwner(other) && other.user_id !== user.user_id);
}

function activePeople(reader: Reader): User[] {
  return [...reader.users.range()].filter((user) => user.is_active && !isBot(user));
}

/** Deactivates the account after deactivating its bots. Does not check permissions. */
export function deactivateWithBots(tx: Writer, user: User): User[] {
  const { user_id } = user;
  const bots = tx.users.listBy("owner", user_id).filter((bot) => bot.is_active);
  const botsDeactivated = bots.flatMap((bot) => deactivateWithBots(tx, bot));
  revokeInvitationsOf(tx, user_id);
  endSessionsOf(tx, user_id);
  const guests = limitedViewers(tx, user);
  const active = ownSubscriptions(tx, user_id).filter((sub) => sub.active);
  const seqOf = emitPeerEvents(tx, peersRemoved, active.map(channelOf), user_id);
  for (const sub of active) suspend(tx, sub, seqOf(sub.stream_id));
  const deactivated = { ...user, is_active: false };
  tx.users.put(deactivated);
  tx.emit(userUpdated(user_id, { is_active: false }), { to: "seers", user_id });
  emitToThoseWithoutAccess(tx, deactivated, groupsOf(tx, user));
  const viewersBefore = new Set(limitedViewers(tx, user));
  emitHidden(
    tx,
    user_id,
    guests.filter((guest) => !viewersBefore.has(guest)),
  );
  return [...botsDeactivated, user];
}

/** Clients remove a deactivated user from groups and settings themselves. */
function emitToThoseWithoutAccess(tx: Writer, deactivated: User, groups: readonly Group[]): void {
  const user_ids = limitedNonViewers(tx, deactivated).map((guest) => guest.user_id);
  if (user_ids.length === 0) return;
  for (const group of groups) {
    const event = groupEvent(group, membersRemoved(group.id, [deactivated.user_id]));
    tx.emit(event, { to: "people", user_ids });
  }
  emitSettingsNaming(tx, deactivated.user_id, user_ids);
}

const channelOf = ({ stream_id }: Subscription) => stream_id;

const ownSubscriptions = (reader: Reader, user_id: number) =>
  reader.subscriptions.listBy("user", user_id).sort((a, b) => a.stream_id - b.stream_id);

/** Groups of which the user is a direct member. */
function groupsOf(reader: Reader, user: User): Group[] {
  const system = systemGroupsOf(reader, user).map((name) => systemGroupId(reader, name));
  const own = reader.group_members.listBy("user", user.user_id).map((row) => row.group_id);
  return [...system, ...own.sort((a, b) => a - b)].map((id) => reader.groups.get(id)!);
}

/** The clients' keys are rejected from now on, so their queues can be closed. */
export function closeQueues(realm: Realm, deactivated: readonly User[]): void {
  for (const { user_id } of deactivated) realm.hub.closeOf(user_id);
}

/** Data to delete as well; by default everything is kept. */
export const erasureParams = Type.Partial(
  Type.Object({
    delete_profile: Type.Boolean(),
    delete_public_channel_messages: Type.Boolean(),
    delete_private_channel_messages: Type.Boolean(),
    delete_direct_messages: Type.Boolean(),
  }),
);

/** Erases data of a deactivated account. Requires the same permission as deactivating it. */
export function eraseUserData(
  tx: Writer,
  actingUser: User,
  user_id: number,
  actions: Type.Static<typeof erasureParams>,
): void {
  const where = deletionScope(actions);
  if (Object.values(where).includes(true)) {
    deleteSentLater(tx, user_id, actingUser.user_id, where);
    recordAct(tx, { act: "user_messages_deleted", on: "user", on_id: user_id, facts: where });
  }
  if (actions.delete_profile) eraseProfile(tx, user_id);
}

/** Returns in which kinds of places the user's messages are deleted. */
export function deletionScope(actions: Type.Static<typeof erasureParams>) {
  return {
    in_public: actions.delete_public_channel_messages ?? false,
    in_private: actions.delete_private_channel_messages ?? false,
    direct: actions.delete_direct_messages ?? false,
  };
}

export const deleteUser = endpoint({
  summary: "Deactivate a user",
  tag: "People",
  params: {
    user_id: int,
    deactivation_notification_comment: optional(textOf({ max: DEACTIVATION_COMMENT_LENGTH_MAX })),
    actions: optional(json(erasureParams)),
    // In a browser.
    ...confirmationParams,
  },
  answer: nothing,
  refuses: ["CANNOT_DEACTIVATE_LAST_USER"],
  run: async (context, { user_id, actions = {}, ...params }) => {
    const { deactivation_notification_comment: comment, ...confirmation } = params;
    const { realm, user } = context;
    // Checked first, so that only permitted users must enter their password.
    accessToDeactivate(realm.read, user, user_id);
    const actor = await confirmInBrowser(context, confirmation);
    const deactivated = await realm.write((tx) => {
      const actingUser = actor(tx);
      const { delivery_email: address } = accessUser(tx, actingUser, user_id);
      const deactivatedUsers = deactivateUser(tx, actingUser, user_id);
      if (comment !== undefined) mail(tx, { about: "account closed", user_id, address, comment });
      eraseUserData(tx, actingUser, user_id, actions);
      return deactivatedUsers;
    });
    closeQueues(realm, deactivated);
    return {};
  },
});

export const deleteOwnUser = endpoint({
  summary: "Deactivate your own account",
  tag: "People",
  params: {},
  answer: nothing,
  refuses: ["CANNOT_DEACTIVATE_LAST_USER"],
  run: async ({ realm, user }) => {
    closeQueues(realm, await realm.write((tx) => deactivateOwnAccount(tx, user)));
    return {};
  },
});

export const restoreUser = endpoint({
  summary: "Reactivate a user",
  tag: "People",
  // In a browser, the identity is confirmed for accounts with the rights of an administrator.
  params: { user_id: int, ...confirmationParams },
  answer: nothing,
  run: async (context, { user_id, ...confirmation }) => {
    const { realm, user, session } = context;
    const account = accessToAdminister(realm.read, user, user_id);
    // The protocol lets administrators reactivate owners.
    if (session && isOwner(account) && !isOwner(user)) throw ownerRequired();
    const isPowerful = !account.is_active && isAdministrator(account);
    const actor = isPowerful ? await confirmInBrowser(context, confirmation) : () => user;
    const key = encryptedKey(realm);
    return realm.write((tx) => {
      reactivateUser(tx, actor(tx), user_id, key);
      return {};
    });
  },
});
