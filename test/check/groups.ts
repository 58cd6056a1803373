// Which test files share a process, and in which order their tests run.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sources } from "./tree.ts";

const ROOT = join(import.meta.dir, "../..");
/** Exclusive upper limit of a seed. */
const SEEDS = 2 ** 31;
/**
 * The number of groups that the files of a folder are split into. The first row that matches a file
 * applies; a file without a row is a group of its own.
 */
const SHARED: readonly SharedGroup[] = [
  { folder: "test/backup", groups: 2 },
  { folder: "test/check", groups: 1 },
  { folder: "test/commands", groups: 6, startsServers: true },
  { folder: "test/features", groups: 12 },
  { folder: "test/insight", groups: 1 },
  { folder: "test/moving", groups: 3, startsServers: true },
  { folder: "test/outbound", groups: 1 },
  { folder: "test/pictures", groups: 1 },
  { folder: "test/protocol", groups: 1 },
  { folder: "test/queues", groups: 1 },
  { folder: "test/server", groups: 2 },
  { folder: "test/store", groups: 4 },
  { folder: "test/text", groups: 4 },
  // Files that use a browser share it.
  { folder: "test/web", groups: 22, text: /from "\.\/browser-(?:fixture|session)\.ts"/ },
  { folder: "test/web", groups: 3 },
];

interface SharedGroup {
  readonly folder: string;
  readonly groups: number;
  /** If set, the row matches only files whose text matches this pattern. */
  readonly text?: RegExp;
  /** Tests of the folder start server processes. */
  readonly startsServers?: true;
}

/** Whether tests of the group start servers only within their own process. */
export function isShared([file = ""]: readonly string[]): boolean {
  return SHARED.some(({ folder, startsServers }) => folder === dirname(file) && !startsServers);
}

/**
 * Assigns files to processes, since starting a process takes half the time of a small test file.
 * The group depends only on the file's name, so that a new file moves no other file; and expensive
 * neighbors in the order of names get different groups.
 */
export function groupsOf(files: readonly string[], sources: Sources): string[][] {
  const groups = Map.groupBy(files, (file) => {
    const text = sources.get(file) ?? "";
    const index = SHARED.findIndex(
      (row) => row.folder === dirname(file) && (row.text === undefined || row.text.test(text)),
    );
    const row = SHARED[index];
    return row ? `${row.folder} ${index} ${Bun.hash.xxHash32(file) % row.groups}` : file;
  });
  return [...groups]
    .toSorted(([a], [b]) => Bun.hash.xxHash32(a) - Bun.hash.xxHash32(b))
    .map(([, group]) => group.toSorted());
}

export function seedOf(group: readonly string[]): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const path of group) hash.update(`${path}\n`).update(readFileSync(join(ROOT, path)));
  return String(hash.digest().readUInt32LE() % SEEDS);
}
