// Changes an account's name and role.
import { insufficientPermission, invalidValue } from "../../contract/errors/channels.ts";
import { botAboveOwner, onlyOwnerStays, ownerRequired } from "../../contract/errors/people.ts";
import { OWNER } from "../../contract/roles.ts";
import { nothing } from "../../contract/shapes/value-types.ts";
import { type Context, endpoint, int, optional, text } from "../../endpoint.ts";
import type { Reader, Realm, Writer } from "../../realm.ts";
import type { Channel, User } from "../../schema/records.ts";
import { emitOthersBots } from "../bots/events.ts";
import { canSeeChannel } from "../channels/access.ts";
import { forgetUnsubscription } from "../channels/manage/change.ts";
import { emitDataNamingChannels } from "../channels/subscriptions/name-references.ts";
import {
  channelObject,
  channelsAppeared,
  channelsDisappeared,
  defaultChannelIds,
  defaultChannelsChanged,
  defaultGroupObjects,
  defaultGroupsChanged,
  peersAdded,
  subscriberIds,
} from "../channels/wire.ts";
import { jobChecker, awaitFullMembership } from "../groups/full-members.ts";
import { systemGroupsOf } from "../groups/wire.ts";
import { freezeMentions } from "../messages/sets/frozen-mentions.ts";
import { accessToAdminister, accessUserByEmail } from "../people/access.ts";
import { checkedName } from "../people/names.ts";
import { watchAddresses, watchVisibilityOf } from "../people/visibility.ts";
import { membersAdded, membersRemoved, userUpdated } from "../people/wire.ts";
import { systemGroupId } from "../rights/access.ts";
import { isAdministrator, isBot, isGuest, isOwner, ROLES } from "../rights/rules.ts";
import { type Confirmation, confirmationParams, confirmInBrowser } from "../two-factor/confirm.ts";
import { isOnlyOwner } from "./activation.ts";
import { setAddress } from "./address.ts";
import { notifyUser } from "./notice.ts";
import { type ProfileEntry, setProfileValue, setProfileValues } from "./profile.ts";

/** Renames an account. */
export function renameUser(tx: Writer, user_id: number, value: string): void {
  const user = tx.users.get(user_id)!;
  const full_name = checkedName(tx, value, user_id);
  if (full_name === user.full_name) return;

  tx.users.put({ ...user, full_name });
  tx.emit(userUpdated(user_id, { full_name }), { to: "seers", user_id });
}

/** Returns whether the role changes. */
export function changeRole(tx: Writer, actingUser: User, user_id: number, role: number): boolean {
  const user = accessForRole(tx, actingUser, user_id, role);
  if (!user) return false;

  setRole(tx, user, role);
  lowerRolesOfBots(tx, tx.users.get(user_id)!);
  return true;
}

/** Returns the account whose role changes; undefined if it already has the role. */
function accessForRole(
  reader: Reader,
  actingUser: User,
  user_id: number,
  role: number,
): User | undefined {
  const user = accessToAdminister(reader, actingUser, user_id);
  if (!isAdministrator(actingUser)) throw insufficientPermission();
  if (!ROLES.includes(role)) throw invalidValue("role");
  if (role === user.role) return undefined;
  if ((isOwner(user) || role === OWNER) && !isOwner(actingUser)) throw ownerRequired();
  if (isOnlyOwner(reader, user)) throw onlyOwnerStays();
  if (role < roleOfOwner(reader, user)) throw botAboveOwner();
  return user;
}

/**
 * Returns the acting user within the transaction. Checks the permission before the password, so
 * that only permitted users must enter theirs.
 */
export async function confirmRoleChange(
  context: Context,
  user_id: number,
  role: number | undefined,
  confirmation: Confirmation,
): Promise<(tx: Writer) => User> {
  const { realm, user, session } = context;
  const isNeeded = session !== undefined && role !== undefined;
  if (!isNeeded || !accessForRole(realm.read, user, user_id, role)) return () => user;
  return confirmInBrowser(context, confirmation);
}

/** Lowers the roles of bots to that of their owner. */
export function lowerRolesOfBots(tx: Writer, owner: User): void {
  for (const bot of tx.users.listBy("owner", owner.user_id)) {
    if (bot.role < owner.role) setRole(tx, bot, owner.role);
  }
}

/** Lowers the roles of bots that an earlier version left with a higher role than their owner's. */
export async function lowerRolesOfAllBots(realm: Realm): Promise<void> {
  const isAbove = (reader: Reader, user: User) => user.role < roleOfOwner(reader, user);
  const { read } = realm;
  const above = [...read.users.range()].filter((user) => isAbove(read, user));
  if (above.length === 0) return;
  await realm.write((tx) => {
    for (const { user_id } of above) {
      const bot = tx.users.get(user_id)!;
      if (isAbove(tx, bot)) setRole(tx, bot, roleOfOwner(tx, bot));
    }
  });
}

/** 0, which is above all roles, for bots without an owner or whose owner does not exist. */
function roleOfOwner(reader: Reader, { bot_owner_id }: User): number {
  return reader.users.get(bot_owner_id ?? 0)?.role ?? 0;
}

function setRole(tx: Writer, user: User, role: number): void {
  const { user_id } = user;
  const [before, seenBefore] = [systemGroupsOf(tx, user), visibleChannels(tx, user)];
  const changedUser = { ...user, role };
  const emitVisibility = watchVisibilityOf(tx, user.is_active ? [user] : []);
  const emitAddresses = user.is_active ? watchAddresses(tx, user) : () => {};
  const restoreMentions = freezeMentions(
    tx,
    [...tx.groups.range()].map((group) => group.id),
    [user],
  );
  tx.users.put(changedUser);
  restoreMentions([changedUser]);
  awaitFullMembership(tx, changedUser, jobChecker(tx));
  tx.emit(userUpdated(user_id, { role }), { to: "seers", user_id });
  emitVisibility();
  emitAddresses();
  emitOthersBots(tx, user, changedUser);
  if (!user.is_active) return;
  const after = systemGroupsOf(tx, changedUser);
  for (const name of before) {
    if (after.includes(name)) continue;
    tx.emit(membersRemoved(systemGroupId(tx, name), [user_id]), { to: "realm" });
  }
  for (const name of after) {
    if (before.includes(name)) continue;
    tx.emit(membersAdded(systemGroupId(tx, name), [user_id]), { to: "realm" });
  }
  const seenAfter = visibleChannels(tx, changedUser);
  for (const is_archived of [false, true]) {
    const sameArchived = (channels: Channel[]) =>
      channels.filter((channel) => channel.is_archived === is_archived);
    emitVisibleChannels(
      tx,
      changedUser,
      sameArchived(seenBefore),
      sameArchived(seenAfter),
      is_archived,
    );
  }
  if (isGuest(user) !== isGuest(changedUser)) {
    const ids = isGuest(changedUser) ? [] : defaultChannelIds(tx);
    tx.emit(defaultChannelsChanged(ids), { to: "people", user_ids: [user_id] });
    const groups = defaultGroupObjects(tx);
    if (groups.length > 0) {
      const visibleGroups = isGuest(changedUser) ? [] : groups;
      tx.emit(defaultGroupsChanged(visibleGroups), { to: "people", user_ids: [user_id] });
    }
  }
}

function visibleChannels(reader: Reader, user: User): Channel[] {
  return [...reader.channels.range()].filter((channel) => canSeeChannel(reader, user, channel));
}

/** Emits channels that become visible or invisible to the user. */
function emitVisibleChannels(
  tx: Writer,
  { user_id }: User,
  before: readonly Channel[],
  after: readonly Channel[],
  areArchived: boolean,
): void {
  const audience = { to: "people", user_ids: [user_id] } as const;
  const needs = areArchived ? ({ needs: "archived_channels" } as const) : {};
  const addedChannels = after.filter((channel) => !before.includes(channel));
  const gainedIds = addedChannels.map((channel) => channel.stream_id);
  forgetUnsubscription(tx, [user_id], gainedIds);
  if (addedChannels.length > 0) {
    const objects = addedChannels.map((channel) => channelObject(tx, channel));
    tx.emit({ ...channelsAppeared(objects), ...needs }, audience);
  }
  for (const stream_id of gainedIds) {
    const ids = subscriberIds(tx, stream_id);
    if (ids.length > 0) tx.emit({ ...peersAdded([stream_id], ids), ...needs }, audience);
  }
  const removedChannels = before.filter((channel) => !after.includes(channel));
  const lostIds = removedChannels.map((channel) => channel.stream_id);
  if (removedChannels.length > 0) tx.emit({ ...channelsDisappeared(lostIds), ...needs }, audience);
  emitDataNamingChannels(tx, [user_id], [...gainedIds, ...lostIds]);
}

interface UserChange {
  full_name: string | undefined;
  role: number | undefined;
  profile_data: readonly ProfileEntry[] | undefined;
  new_email: string | undefined;
}

/** `isInBrowser`: informs the user of a changed role, which API clients do not expect. */
function changeUser(
  tx: Writer,
  actingUser: User,
  user_id: number,
  params: UserChange,
  isInBrowser: boolean,
): void {
  const { full_name, role, profile_data, new_email } = params;
  const user = accessToAdminister(tx, actingUser, user_id);
  if (profile_data !== undefined && isBot(user)) throw insufficientPermission();
  const hasNewRole = role !== undefined && changeRole(tx, actingUser, user_id, role);
  if (full_name !== undefined && full_name.trim() !== "") renameUser(tx, user_id, full_name);
  if (profile_data !== undefined) setProfileValues(tx, actingUser, user_id, profile_data);
  if (new_email !== undefined) setAddress(tx, actingUser, tx.users.get(user_id)!, new_email);
  if (hasNewRole && isInBrowser) notifyUser(tx, actingUser, user, { act: "role", role });
}

async function changeConfirmed(
  context: Context,
  idIn: (reader: Reader) => number,
  { password, ticket, credential, ...params }: UserChange & Confirmation,
): Promise<object> {
  const { realm, session } = context;
  const proof = { password, ticket, credential };
  const actor = await confirmRoleChange(context, idIn(realm.read), params.role, proof);
  return realm.write((tx) => {
    changeUser(tx, actor(tx), idIn(tx), params, session !== undefined);
    return {};
  });
}

const params = {
  full_name: optional(text),
  role: optional(int),
  profile_data: optional(setProfileValue),
  new_email: optional(text),
  // In a browser, for a change of the role.
  ...confirmationParams,
};

export const updateUser = endpoint({
  summary: "Change a user",
  tag: "People",
  params: { user_id: int, ...params },
  answer: nothing,
  run: (context, { user_id, ...params }) => changeConfirmed(context, () => user_id, params),
});

export const updateUserByEmail = endpoint({
  summary: "Change a user, by email address",
  tag: "People",
  params: { email: text, ...params },
  answer: nothing,
  run: (context, { email, ...params }) =>
    changeConfirmed(
      context,
      (reader) => accessUserByEmail(reader, context.user, email).user_id,
      params,
    ),
});
