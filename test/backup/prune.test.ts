// Backup sets are kept per day, week and month, and kept sets stay complete.
import { expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { DirectoryTarget } from "../../src/features/backup/directory-target.ts";
import { pruneSets } from "../../src/features/backup/prune.ts";
import { DEFAULT_KEEP, isSetName, retainedSets, setName } from "../../src/features/backup/rules.ts";
import { upload } from "../features/upload-fixture.ts";
import { noise } from "../random.ts";
import { startTestServer } from "../test-server.ts";
import { faultsIn, filesIn, flip, backUpTo, restoreInto, scratch } from "./backup-fixture.ts";

const DAY = 86_400;
/** A Sunday at noon. */
const NOW = Date.parse("2026-11-22T12:00:00Z") / 1000;

function nightly(days: number) {
  return Array.from({ length: days }, (_, ago) => {
    const created = NOW - ago * DAY;
    return { id: setName(created * 1000, "00000"), created, is_whole: true };
  });
}

test("keeps 7 days, 5 weeks and 12 months of two years of nights", () => {
  const remainingSets = [...retainedSets(nightly(730), DEFAULT_KEEP)].toSorted().reverse();
  const days = remainingSets.map((id) => id.slice(0, 10));
  expect(days).toEqual([
    ...["2026-11-22", "2026-11-21", "2026-11-20", "2026-11-19", "2026-11-18", "2026-11-17"],
    ...["2026-11-16", "2026-11-15", "2026-11-08", "2026-11-01", "2026-10-31", "2026-10-25"],
    ...["2026-09-30", "2026-08-31", "2026-07-31", "2026-06-30", "2026-05-31", "2026-04-30"],
    ...["2026-03-31", "2026-02-28", "2026-01-31", "2025-12-31"],
  ]);
  expect(remainingSets.every(isSetName)).toBe(true);
});

test("keeps the newest good set, however old, whatever bad ones follow", () => {
  const [good, ...others] = nightly(40).reverse();
  const bad = others.map((set) => ({ ...set, is_whole: false }));
  const retained = retainedSets([good!, ...bad], { daily: 1, weekly: 0, monthly: 0 });
  expect([...retained].toSorted()).toEqual([good!.id, bad.at(-1)!.id]);
  expect(retainedSets(nightly(3), { daily: 0, weekly: 0, monthly: 0 }).size).toBe(1);
  expect(retainedSets([], DEFAULT_KEEP).size).toBe(0);
});

test("deletes files that no set lists after a day, and remaining sets are complete", async () => {
  const testServer = await startTestServer();
  const to = scratch();
  const target = new DirectoryTarget(to);
  const oneDaily = { daily: 1, weekly: 0, monthly: 0 };
  try {
    await upload(testServer, "bo", { name: "a.bin", bytes: noise(1_000) });
    const first = await backUpTo(testServer, to);
    // Sets are ordered by the second they were made.
    testServer.clock.passSeconds(2);
    await upload(testServer, "bo", { name: "b.bin", bytes: noise(1_000) });
    const second = await backUpTo(testServer, to);
    await Bun.write(join(to, "files/ab/stray"), "of a run that was killed");
    const now = Math.floor(Date.now() / 1000);
    expect(await pruneSets(target, oneDaily, now)).toMatchObject({ deleted: [first.id], files: 0 });
    for (const name of filesIn(to)) utimesSync(join(to, name), now - 2 * DAY, now - 2 * DAY);
    expect(await pruneSets(target, oneDaily, now)).toMatchObject({ kept: [second.id], files: 3 });
    expect(await faultsIn(to)).toEqual({ [second.id]: [] });
    await restoreInto(to);
  } finally {
    await testServer.close();
  }
});

test("deletes no file while a set is unreadable, since the set might list it", async () => {
  const testServer = await startTestServer();
  const to = scratch();
  try {
    const { id } = await backUpTo(testServer, to);
    await backUpTo(testServer, to);
    await Bun.write(join(to, "files/ab/stray"), "perhaps of the set that cannot be read");
    flip(join(to, `sets/${id}.json`), 77);
    const pruned = await pruneSets(new DirectoryTarget(to), DEFAULT_KEEP, NOW + 1_000 * DAY);
    expect(pruned).toMatchObject({ unreadable: [id], files: 0 });
    expect(filesIn(to)).toContain("files/ab/stray");
  } finally {
    await testServer.close();
  }
});
