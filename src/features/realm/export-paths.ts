// Paths of exports and of uploaded archives in the data directory.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Realm } from "../../realm.ts";
import type { PersonExport, RealmExport } from "../../schema/records-moving.ts";

type HasConfig = Pick<Realm, "config">;

export function exportsDirectory({ config }: HasConfig): string {
  return join(config.data, "exports");
}

export function archivePath(realm: HasConfig, { key }: Pick<RealmExport, "key">): string {
  return join(exportsDirectory(realm), `${key}.tar.gz`);
}

const WORK_SUFFIX = ".new";

/** Files of an export that is being written. */
export function workPath(realm: HasConfig, { key }: Pick<RealmExport, "key">): string {
  return join(exportsDirectory(realm), key + WORK_SUFFIX);
}

/** Folders of exports that a killed process was writing, except those that a job writes again. */
export function abandonedWork(
  realm: HasConfig,
  isPersonExport: boolean,
  underWay: ReadonlySet<string>,
): string[] {
  const directory = exportsDirectory(realm);
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith(WORK_SUFFIX) && name.startsWith(PERSON_FILE) === isPersonExport)
    .map((name) => join(directory, name))
    .filter((path) => !underWay.has(path));
}

export function personWorkPath(realm: HasConfig, item: Pick<PersonExport, "key">): string {
  return personArchivePath(realm, item) + WORK_SUFFIX;
}

/** An export of a user's own data. */
export function personArchivePath(realm: HasConfig, item: Pick<PersonExport, "key">): string {
  return join(exportsDirectory(realm), `${PERSON_FILE}${item.key}.zip`);
}

/** Begins the names of such files. */
export const PERSON_FILE = "person-";

/** Archives that owners upload in a browser to import them, and the state of that import. */
export function importsDirectory({ config }: HasConfig): string {
  return join(config.data, "imports");
}
