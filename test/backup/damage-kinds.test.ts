// Damages each kind of file in a backup in every way, and checks the reports and what is restored.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, cpSync, mkdtempSync, readFileSync } from "node:fs";
import { rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { DirectoryTarget } from "../../src/features/backup/directory-target.ts";
import { type BackupSet, putSet, readSet } from "../../src/features/backup/sets.ts";
import { verifySets } from "../../src/features/backup/verify.ts";
import { linesOf } from "../commands/skein.ts";
import { upload } from "../features/upload-fixture.ts";
import { noise } from "../random.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { flip, backUpTo, scratch, tryRestore } from "./backup-fixture.ts";

let testServer: TestServer;
let first: BackupSet;
let second: BackupSet;
/** Objects of two sets: a.bin is in both, b.bin is in the second. */
const folder = mkdtempSync(join(tmpdir(), "skein-damage-"));
const [recorded, encrypted] = [join(folder, "recorded"), join(folder, "encrypted")];
const identity = await generateX25519Identity();

beforeAll(async () => {
  testServer = await startTestServer();
  const recipients = [await identityToRecipient(identity)];
  const backUp = async () => {
    await backUpTo(testServer, encrypted, { recipients });
    return readSet(new DirectoryTarget(recorded), (await backUpTo(testServer, recorded)).id);
  };
  await upload(testServer, "bo", { name: "a.bin", bytes: noise(2_000) });
  first = await backUp();
  await upload(testServer, "bo", { name: "b.bin", bytes: noise(3_000) });
  second = await backUp();
});
afterAll(() => testServer.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Kind = "set" | "database" | "manifest" | "file";

const objectOf = (set: BackupSet, of: BackupSet) =>
  of.objects.find(({ name }) => set.objects.some((own) => own.name === name))!.name;

/** The file of that kind in the second set, and another file of the same folder. */
function filesOf(kind: Kind): [name: string, other: string] {
  if (kind === "set") return [`sets/${second.id}.json`, `sets/${first.id}.json`];
  if (kind !== "file") return [second[kind].name, first[kind].name];
  const shared = objectOf(first, second);
  return [shared, second.objects.find(({ name }) => name !== shared)!.name];
}

const DAMAGE_BY_NAME: Record<
  string,
  (path: string, pathOf: (name: string) => string, kind: Kind) => void
> = {
  "with a flipped bit": (path) => flip(path, 8 * 40 + 3),
  "cut in half": (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  "cut to nothing": (path) => truncateSync(path, 0),
  "that is missing": (path) => rmSync(path),
  "replaced by another one": (path, pathOf, kind) => copyFileSync(pathOf(filesOf(kind)[1]), path),
  "replaced by a file of another kind": (path, pathOf, kind) =>
    copyFileSync(pathOf(filesOf(kind === "database" ? "manifest" : "database")[0]), path),
};

interface Outcome {
  /** Error of `skein restore` when `--keep-going` is absent. */
  refused: RegExp;
  restores: "the rest" | "nothing";
  /** Names of files that `--keep-going` does not restore. */
  lost?: string[];
}

const OUTCOMES: Record<Kind, Outcome> = {
  set: {
    refused: /(is damaged|is the set .*); skein restore --keep-going restores|there is no set/,
    restores: "the rest",
    lost: [],
  },
  database: {
    refused: /is (damaged|missing.*); this set cannot be restored; .*: skein backup verify/,
    restores: "nothing",
  },
  manifest: {
    refused: /is (damaged|missing.*); skein restore --keep-going restores/,
    restores: "the rest",
    lost: ["b.bin"],
  },
  file: {
    refused: /is (damaged|missing.*); the data is intact: skein restore --keep-going restores/,
    restores: "the rest",
    lost: ["a.bin"],
  },
};

/** Restores the second set with --keep-going. `lost`: the names of files that are missing then. */
async function restoredFrom(to: string) {
  const args = ["--set", second.id, "--keep-going", "--json"];
  const result = await tryRestore(to, scratch(), ...args);
  if (result.code !== 0) return { code: result.code, err: result.err };
  const [fields] = linesOf(result) as [
    { counts: { users: number }; files: number; lost: string[] },
  ];
  const lost = fields.lost.map((text) => text.replace(/, uploaded by Bo Member \(.*/, ""));
  return { code: 0, users: fields.counts.users, files: fields.files, lost };
}

describe.each(Object.keys(OUTCOMES) as Kind[])("a %s", (kind) => {
  test.each(Object.keys(DAMAGE_BY_NAME))(
    "%s is found, and the rest is restored",
    async (method) => {
      const to = scratch();
      cpSync(recorded, to, { recursive: true });
      const [name] = filesOf(kind);
      DAMAGE_BY_NAME[method]!(join(to, name), (other) => join(to, other), kind);
      const { refused, restores, lost } = OUTCOMES[kind];

      const verified = await verifySets(new DirectoryTarget(to));
      const own = verified.find(({ id }) => id === second.id);
      // A set without its description is not listed; --set restores it.
      const isUnlisted = kind === "set" && method === "that is missing";
      expect(own?.restores).toBe(isUnlisted ? undefined : restores);
      const other = kind === "file" ? "the rest" : "everything";
      expect(verified.find(({ id }) => id === first.id)).toMatchObject({ restores: other });

      const failed = await tryRestore(to, scratch(), "--set", second.id);
      expect([failed.code, failed.err]).toEqual([1, expect.stringMatching(refused)]);
      expect(failed.err).not.toMatch(/^\s+at /m);
      const restored = await restoredFrom(to);
      const users = testServer.realm.read.users.count();
      expect(restored).toMatchObject(
        lost
          ? { code: 0, users, files: 2 - lost.length, lost }
          : { code: 1, err: expect.stringMatching(refused) },
      );
    },
  );
});

test("verify detects a set that lists its database as its manifest", async () => {
  const to = scratch();
  cpSync(recorded, to, { recursive: true });
  const target = new DirectoryTarget(to);
  await putSet(target, { ...second, manifest: second.database });
  const [, own] = await verifySets(target);
  const text = `names "${second.database.name}" as its manifest`;
  expect(own).toMatchObject({ restores: "the rest", faults: [expect.stringContaining(text)] });
  expect(await restoredFrom(to)).toMatchObject({ code: 0, files: 2, lost: [] });
});

test.each([
  ["manifest", "the rest", /manifests\/.* is damaged/],
  ["database", "nothing", /db\/.* is not a database/],
] as const)(
  "verify finds a %s of other contents with the right checksum",
  async (kind, restores, words) => {
    const to = scratch();
    cpSync(recorded, to, { recursive: true });
    const target = new DirectoryTarget(to);
    const other = second[kind === "manifest" ? "database" : "manifest"];
    writeFileSync(join(to, second[kind].name), readFileSync(join(to, other.name)));
    await putSet(target, { ...second, [kind]: { ...other, name: second[kind].name } });
    const [, own] = await verifySets(target);
    expect(own).toMatchObject({ restores, faults: [expect.stringMatching(words)] });
  },
);

test("restores an encrypted set without its manifest or description, with its key", async () => {
  const key = join(scratch(), "key");
  writeFileSync(key, identity);
  const target = new DirectoryTarget(encrypted);
  const [, newest] = await verifySets(target, { identity });
  expect(newest).toMatchObject({ restores: "everything" });
  for (const [name, lost] of [
    [`manifests/${newest!.id}.zst.age`, 1],
    [`sets/${newest!.id}.json`, 0],
  ] as const) {
    const to = scratch();
    cpSync(encrypted, to, { recursive: true });
    writeFileSync(join(to, name), "");
    const args = ["--set", newest!.id, "--identity", key, "--keep-going", "--json"];
    const result = await tryRestore(to, scratch(), ...args);
    expect([result.code, result.err]).toEqual([0, ""]);
    const [fields] = linesOf(result) as [{ files: number; lost: string[] }];
    expect(fields).toMatchObject({ files: 2 - lost, lost: { length: lost } });
  }
});
