// User objects as JSON text, cached with their records, so that a register only concatenates them.
import type { Reader } from "../../realm.ts";
import type { ProfileValue } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { canSeeEmail, SPECTATOR, type Viewer } from "../rights/rules.ts";
import { userObject } from "./wire.ts";

interface CacheEntry {
  readonly profile: readonly ProfileValue[];
  /** Revision of the profile values for which `profile` was compared. */
  as_of: number;
  /** The server's URL, which replaces addresses that are hidden. It may be set after the start. */
  readonly url: string;
  /** Texts at the index `variant`. */
  readonly texts: string[];
}

/** A change replaces the record object. */
const retained = new WeakMap<User, CacheEntry>();

/**
 * Returns the text of `userObject` with the profile. `is_active` is left out, since the snapshot
 * has a list for inactive users, except for system bots.
 */
export function userText(
  reader: Reader,
  viewer: Viewer,
  user: User,
  client_gravatar: boolean,
): string {
  if (viewer === SPECTATOR) return serialized(reader, viewer, user, client_gravatar);
  const { texts } = entryOf(reader, user);
  const variant = (canSeeEmail(viewer, user) ? 1 : 0) + (client_gravatar ? 2 : 0);
  return (texts[variant] ??= serialized(reader, viewer, user, client_gravatar));
}

function serialized(reader: Reader, viewer: Viewer, user: User, client_gravatar: boolean): string {
  const view = { client_gravatar, custom_profile_fields: true };
  const object = userObject(reader, viewer, user, view);
  const { is_active: _, ...listed } = object;
  return JSON.stringify(user.is_system_bot ? object : listed);
}

function entryOf(reader: Reader, user: User): CacheEntry {
  const as_of = reader.profile_values.revision;
  const { url } = reader.config;
  const retainedEntry = retained.get(user);
  const cached = retainedEntry?.url === url ? retainedEntry : undefined;
  if (cached?.as_of === as_of) return cached;
  const profile = reader.profile_values.listBy("user", user.user_id);
  if (cached && isSame(cached.profile, profile)) {
    cached.as_of = as_of;
    return cached;
  }
  const entry = { profile, as_of, url, texts: [] };
  retained.set(user, entry);
  return entry;
}

function isSame(before: readonly ProfileValue[], after: readonly ProfileValue[]): boolean {
  return before.length === after.length && before.every((row, index) => row === after[index]);
}
