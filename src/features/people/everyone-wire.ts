// All accounts in the order of their ids.
import type { Reader } from "../../realm.ts";
import type { User } from "../../schema/records.ts";

const sorted = new WeakMap<Reader, { as_of: number; users: readonly User[] }>();

/** All accounts including system bots, ascending by id. Cached until a user changes. */
export function everyone(reader: Reader): readonly User[] {
  const as_of = reader.users.revision;
  const cached = sorted.get(reader);
  if (cached?.as_of === as_of) return cached.users;
  const users = [...reader.users.range()].sort((a, b) => a.user_id - b.user_id);
  sorted.set(reader, { as_of, users });
  return users;
}
