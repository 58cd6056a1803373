// Group-valued settings: their stored form, comparison, and form for clients.
import type { Reader } from "../../realm.ts";
import type { GroupSetting } from "../../schema/records.ts";

/** Lists are ascending. Deactivated users stay in the record but are not shown to clients. */
export function shownSetting(reader: Reader, value: GroupSetting): GroupSetting {
  if (typeof value === "number") return value;
  const isActive = (id: number) => reader.users.get(id)?.is_active === true;
  return {
    direct_members: value.direct_members.filter(isActive),
    direct_subgroups: value.direct_subgroups,
  };
}

/** Both arguments must be normalized. */
export function isSameSetting(groupSetting: GroupSetting, other: GroupSetting): boolean {
  if (typeof groupSetting === "number" || typeof other === "number") return groupSetting === other;
  return (
    isSameList(groupSetting.direct_members, other.direct_members) &&
    isSameList(groupSetting.direct_subgroups, other.direct_subgroups)
  );
}

/** Members are ascending and unique; an empty setting and a single group become named groups. */
export function normalisedSetting(value: GroupSetting, nobody_id: number): GroupSetting {
  if (typeof value === "number") return value;
  const direct_members = ascending(value.direct_members);
  const direct_subgroups = ascending(value.direct_subgroups);
  if (direct_members.length > 0 || direct_subgroups.length > 1) {
    return { direct_members, direct_subgroups };
  }
  return direct_subgroups[0] ?? nobody_id;
}

const ascending = (ids: readonly number[]) => [...new Set(ids)].sort((a, b) => a - b);

function isSameList(first: readonly number[], other: readonly number[]): boolean {
  return first.length === other.length && first.every((id, index) => id === other[index]);
}
