// The directory that knows people's passwords, where the operator has named one.
import type { Realm } from "../../realm.ts";

export interface Directory {
  /** undefined: it is not their password. A directory that does not answer is a refusal. */
  person(username: string, password: string): Promise<Person | undefined>;
}

interface Person {
  readonly email: string | undefined;
  readonly full_name: string | undefined;
}

const directories = new WeakMap<Realm, Directory>();

/** Said before anybody signs in, and when it is another one; undefined: there is none. */
export function askDirectory(realm: Realm, directory: Directory | undefined): void {
  if (directory) directories.set(realm, directory);
  else directories.delete(realm);
}

export function directoryOf(realm: Realm): Directory | undefined {
  return directories.get(realm);
}
