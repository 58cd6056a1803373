// What follows when people come to groups or go from them: channels in sight, and old mentions.
import type { Reader, Writer } from "../../realm.ts";
import type { Channel, GroupSetting, User } from "../../records.ts";
import { canSeeChannel } from "../channels/access.ts";
import { tellSights } from "../channels/change.ts";
import { keepMentions } from "../messages/meant.ts";
import { isInGroup } from "./access.ts";
import { groupsAbove } from "./reach.ts";

/**
 * Called before who is in the groups changes; the answer is called after the change was told. Where
 * the people themselves change, it is given them as they are then, in the same order.
 */
export function watchMembership(
  tx: Writer,
  group_ids: readonly number[],
  people: readonly User[],
): (after?: readonly User[]) => void {
  const concerned = groupsAbove(tx, group_ids);
  const keep = keepMentions(tx, concerned, people);
  const channels = [...tx.channels.range()].filter((channel) => isShownBy(channel, concerned));
  const sees = (user: User, channel: Channel) => user.is_active && canSeeChannel(tx, user, channel);
  const saw = channels.map((channel) => people.map((user) => sees(user, channel)));
  return (after = people) => {
    keep(after);
    const sights = channels.map((channel, at) => {
      const now = after.map((user) => sees(user, channel));
      const turned = (to: boolean) =>
        after.filter((_, place) => now[place] === to && saw[at]![place] !== to).map(idOf);
      return { channel, gained: turned(true), lost: turned(false) };
    });
    tellSights(tx, sights);
  };
}

/** The people in these groups, however deep. */
export function peopleIn(reader: Reader, group_ids: readonly number[]): User[] {
  const people = [...reader.users.range()];
  return people.filter((user) => group_ids.some((id) => isInGroup(reader, user, id)));
}

/** The permissions that bring a private channel in sight. */
const SHOWING = [
  "can_administer_channel_group",
  "can_add_subscribers_group",
  "can_subscribe_group",
] as const;

function isShownBy(channel: Channel, group_ids: ReadonlySet<number>): boolean {
  return SHOWING.some((name) => names(channel[name], group_ids));
}

function names(setting: GroupSetting, group_ids: ReadonlySet<number>): boolean {
  if (typeof setting === "number") return group_ids.has(setting);
  return setting.direct_subgroups.some((id) => group_ids.has(id));
}

const idOf = ({ user_id }: User) => user_id;
