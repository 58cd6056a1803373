// Messages that mention a user: by name or group, and by wildcard.
import type { Reader } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { groupsOf } from "../../rights/access.ts";
import {
  FLAG_FROZEN_MENTION,
  FLAG_FROZEN_NO_MENTION,
  FLAG_HISTORICAL,
  FLAG_MENTIONED,
  FLAG_EDITED_LATER,
  FLAG_TOPIC_WILDCARD,
} from "../rules.ts";
import { COST, type IdSet, NarrowedSet, StoredSet, Union } from "./sets.ts";

/**
 * The caller must intersect the sets with the user's own messages. Group and wildcard mentions do
 * not apply to users who got the message later, unless it was edited since.
 */
export function mentionSets(reader: Reader, user: User): { byName: IdSet; byWildcard: IdSet } {
  const flag = (number: number) =>
    new StoredSet(`flag ${number}`, COST.marks, reader.flags, [user.user_id, number]);
  const groups = [...groupsOf(reader, user)].map(
    (id) => new StoredSet(`group ${id}`, COST.marks, reader.group_mentions, [id]),
  );
  const mentionedLater = new NarrowedSet([flag(FLAG_HISTORICAL)], [flag(FLAG_EDITED_LATER)]);
  const current = new NarrowedSet([new Union(groups, COST.marks)], [flag(FLAG_FROZEN_NO_MENTION)]);
  const ofGroups = new NarrowedSet(
    [new Union([current, flag(FLAG_FROZEN_MENTION)], COST.marks)],
    [mentionedLater],
  );
  const everyone = new StoredSet("wildcards", COST.marks, reader.wildcards, [0]);
  const wildcardMentions = new NarrowedSet([everyone], [mentionedLater]);
  return {
    byName: new Union([flag(FLAG_MENTIONED), ofGroups], COST.marks),
    byWildcard: new Union([wildcardMentions, flag(FLAG_TOPIC_WILDCARD)], COST.marks),
  };
}
