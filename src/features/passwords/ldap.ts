// The directory server (LDAP) that verifies passwords, if the operator configured one.
import type { Realm } from "../../realm.ts";

export interface Directory {
  /** undefined if the password is wrong. Throws if the directory does not respond. */
  person(username: string, password: string): Promise<Person | undefined>;
}

interface Person {
  readonly email: string | undefined;
  readonly full_name: string | undefined;
}

const directories = new WeakMap<Realm, Directory>();

/** Must be called before the first sign-in and after changes; undefined means none. */
export function registerDirectory(realm: Realm, directory: Directory | undefined): void {
  if (directory) directories.set(realm, directory);
  else directories.delete(realm);
}

export function directoryOf(realm: Realm): Directory | undefined {
  return directories.get(realm);
}
