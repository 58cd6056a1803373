// Effects of group changes on members: visible channels, and mentions of the group.
import type { Reader, Writer } from "../../realm.ts";
import type { Channel, GroupSetting, User } from "../../schema/records.ts";
import { canSeeChannel, isSubscribed } from "../channels/access.ts";
import { emitVisibility, type Visibility } from "../channels/manage/change.ts";
import { freezeMentions } from "../messages/sets/frozen-mentions.ts";
import { isInGroup } from "../rights/access.ts";
import { groupsAbove } from "../rights/subgroups-access.ts";

/** No channel has this id, so it has no subscribers. */
const NO_CHANNEL = 0;

/**
 * Call before the members change, and call the returned function after the event. If the users
 * themselves changed, pass their new records, in the same order.
 */
export function watchMembership(
  tx: Writer,
  group_ids: readonly number[],
  people: readonly User[],
): (after?: readonly User[]) => void {
  const above = groupsAbove(tx, group_ids);
  const restoreMentions = freezeMentions(tx, above, people);
  const similar = [...Map.groupBy(tx.channels.range(), visibilityTextOf).values()];
  const affected = similar.filter(([channel]) => isVisibleToGroups(channel!, above));
  const sawBefore = affected.map(([channel]) =>
    people.map((user) => seesUnsubscribed(tx, user, channel!)),
  );
  return (after = people) => {
    restoreMentions(after);
    const accessChanges = affected.flatMap((channels, index) => {
      const now = after.map((user) => seesUnsubscribed(tx, user, channels[0]!));
      const withGroupMembers = (to: boolean) =>
        after
          .filter((_, position) => now[position] === to && sawBefore[index]![position] !== to)
          .map(idOf);
      return accessChangesOf(tx, channels, withGroupMembers(true), withGroupMembers(false));
    });
    accessChanges.sort(
      (visibility, other) => visibility.channel.stream_id - other.channel.stream_id,
    );
    emitVisibility(tx, accessChanges);
  };
}

/** Subscribers see the channel before and after the change. */
function accessChangesOf(
  reader: Reader,
  channels: readonly Channel[],
  gainedIds: readonly number[],
  lostIds: readonly number[],
): Visibility[] {
  if (gainedIds.length + lostIds.length === 0) return [];
  return channels.map((channel) => {
    const isOutside = (id: number) => !isSubscribed(reader, id, channel.stream_id);
    return { channel, gainedIds: gainedIds.filter(isOutside), lostIds: lostIds.filter(isOutside) };
  });
}

/**
 * Whether the user sees the channel without a subscription. The same for all channels with an equal
 * `visibilityTextOf`.
 */
function seesUnsubscribed(reader: Reader, user: User, channel: Channel): boolean {
  return user.is_active && canSeeChannel(reader, user, { ...channel, stream_id: NO_CHANNEL });
}

/** The members of these groups and all their subgroups. */
export function peopleIn(reader: Reader, group_ids: readonly number[]): User[] {
  const people = [...reader.users.range()];
  return people.filter((user) => group_ids.some((id) => isInGroup(reader, user, id)));
}

/** The permissions that make a private channel visible. */
const VISIBILITY_PERMISSIONS = [
  "can_administer_channel_group",
  "can_add_subscribers_group",
  "can_subscribe_group",
] as const;

const visibilityTexts = new WeakMap<Channel, string>();

/** The settings that decide who can see the channel without a subscription, as text. */
function visibilityTextOf(channel: Channel): string {
  let opening = visibilityTexts.get(channel);
  if (opening === undefined) {
    const { invite_only, is_web_public } = channel;
    const settings = VISIBILITY_PERMISSIONS.map((name) => channel[name]);
    opening = JSON.stringify([invite_only, is_web_public, settings]);
    visibilityTexts.set(channel, opening);
  }
  return opening;
}

function isVisibleToGroups(channel: Channel, group_ids: ReadonlySet<number>): boolean {
  return VISIBILITY_PERMISSIONS.some((name) => names(channel[name], group_ids));
}

function names(setting: GroupSetting, group_ids: ReadonlySet<number>): boolean {
  if (typeof setting === "number") return group_ids.has(setting);
  return setting.direct_subgroups.some((id) => group_ids.has(id));
}

const idOf = ({ user_id }: User) => user_id;
