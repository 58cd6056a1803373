// Which test files share a process, and in which order their tests run.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sources } from "./changed.ts";

const ROOT = join(import.meta.dir, "../..");
/** Above all that a seed may be. */
const SEEDS = 2 ** 31;
/** In how many groups what is alike of a folder runs; each other file is one by itself. */
const SHARED = [
  { folder: "test/backup", groups: 2, alike: /^/ },
  { folder: "test/check", groups: 1, alike: /^/ },
  { folder: "test/features", groups: 46, alike: /^/ },
  { folder: "test/insight", groups: 1, alike: /^/ },
  { folder: "test/outbound", groups: 1, alike: /^/ },
  { folder: "test/pictures", groups: 1, alike: /^/ },
  { folder: "test/protocol", groups: 1, alike: /^/ },
  { folder: "test/queues", groups: 1, alike: /^/ },
  { folder: "test/server", groups: 4, alike: /^/ },
  { folder: "test/store", groups: 4, alike: /^/ },
  { folder: "test/text", groups: 4, alike: /^/ },
  { folder: "test/web", groups: 28, alike: /from "\.\/(?:browser|street)\.ts"/ },
];

/** Whether its tests start servers in their own process. */
export function isShared([file = ""]: readonly string[]): boolean {
  return SHARED.some(({ folder }) => folder === dirname(file));
}

/**
 * Files that share a process, as the beginning of it is half of what a small one costs. By their
 * names alone, so that a new file moves no other one; and so that in their order what costs much
 * lies apart.
 */
export function groupsOf(files: readonly string[], sources: Sources): string[][] {
  const groups = Map.groupBy(files, (file) => {
    const among = SHARED.find(({ folder }) => folder === dirname(file));
    const isAlike = among?.alike.test(sources.get(file) ?? "");
    return isAlike ? `${among!.folder} ${Bun.hash.xxHash32(file) % among!.groups}` : file;
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
