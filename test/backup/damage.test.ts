// Damaged, missing and mixed-up parts of a backup are found and never restored.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { countOf } from "../repetitions.ts";
import { noise, SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { upload } from "../features/upload-fixture.ts";
import { linesOf, skein } from "../commands/skein.ts";
import { faultsIn, filesIn, flip, backUpTo, scratch, tryRestore } from "./backup-fixture.ts";

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
  await upload(testServer, "bo", { name: "a.bin", bytes: noise(2_000) });
});
afterAll(() => testServer.close());

test("detects every flipped bit, wherever it is", async () => {
  const random = chanceOf(SEED);
  const to = scratch();
  const { id } = await backUpTo(testServer, to);
  expect(await faultsIn(to)).toEqual({ [id]: [] });
  const bits = filesIn(to).flatMap((name) => bitsOf(join(to, name), random));
  for (const [path, bit] of bits) {
    flip(path, bit);
    const { [id]: faults = [] } = await faultsIn(to);
    if (faults.length === 0) throw new Error(`bit ${bit} of ${path} was not found`);
    flip(path, bit);
  }
  expect(await faultsIn(to)).toEqual({ [id]: [] });
});

/** All bits in a long run; otherwise some bits of each file. */
function bitsOf(path: string, { below }: ReturnType<typeof chanceOf>): [string, number][] {
  const all = statSync(path).size * 8;
  const flippedBits = countOf("flipped_bits");
  const count = Math.min(all, flippedBits);
  return Array.from({ length: count }, (_, index) => [path, count === all ? index : below(all)]);
}

test.each(["db", "manifests", "files"])(
  "does not restore a set whose %s are damaged",
  async (of) => {
    const to = scratch();
    await backUpTo(testServer, to);
    const [name] = filesIn(to).filter((path) => path.startsWith(of));
    flip(join(to, name!), 8 * 40 + 3);
    const destination = scratch();
    const { code, err } = await tryRestore(to, destination);
    expect([code, err]).toEqual([1, expect.stringContaining("is damaged")]);
    expect(readdirSync(destination)).not.toContain("data.mdb");
  },
);

test("restores all but damaged files with --keep-going, and names them", async () => {
  const to = scratch();
  const { id } = await backUpTo(testServer, to);
  const [name] = filesIn(to).filter((path) => path.startsWith("files"));
  flip(join(to, name!), 8 * 40 + 3);
  const result = await tryRestore(to, scratch());
  expect([result.code, result.err]).toEqual([1, expect.stringContaining("--keep-going")]);

  const verified = await skein(["backup", "verify", "--from", to]);
  expect(verified.out).toContain(
    `${id}  can be restored without its damaged files, with --keep-going`,
  );
  expect(verified.err).toContain(`skein restore --keep-going --set ${id}`);
  const [line] = linesOf(await skein(["backup", "verify", "--from", to, "--json"]));
  expect(line).toMatchObject({ id, restores: "the rest" });

  const destination = scratch();
  const { code, out } = await tryRestore(to, destination, "--keep-going");
  expect(code).toBe(0);
  expect(out).toContain("Not restored, because damaged in the backup: a.bin, uploaded by Bo");
  expect(out).toContain("Restored everything except 1 files to");
  const list = await skein(["user", "list", "--data", destination]);
  expect([list.code, list.out]).toEqual([0, expect.stringContaining("bo@")]);
  const doctorRun = await skein(["doctor", "--only", "database", "--data", destination, "--json"]);
  const files = linesOf(doctorRun).find((item) => item["id"] === "database.files");
  expect(files).toMatchObject({ state: "fail", message: expect.stringContaining("1 of 1 files") });
});

test("says of each set whether it restores everything, the rest or nothing", async () => {
  const to = scratch();
  const first = await backUpTo(testServer, to);
  const second = await backUpTo(testServer, to);
  const [database] = filesIn(to).filter((path) => path.startsWith(`db/${second.id}`));
  flip(join(to, database!), 8 * 40 + 3);
  const { code, out, err } = await skein(["backup", "verify", "--from", to]);
  expect(code).toBe(1);
  expect(out).toContain(`${first.id}  good`);
  expect(out).toContain(`${second.id}  cannot be restored`);
  expect(err).toContain(`The newest set that can be restored completely is ${first.id}.`);
  const destination = scratch();
  const result = await tryRestore(to, destination, "--keep-going");
  expect([result.code, result.err]).toEqual([1, expect.stringContaining("is damaged")]);
  expect(readdirSync(destination)).not.toContain("data.mdb");
});

test("detects truncated, emptied and missing files", async () => {
  const to = scratch();
  const { id } = await backUpTo(testServer, to);
  for (const name of filesIn(to).filter((path) => !path.startsWith("sets"))) {
    for (const spoil of [
      (path: string) => truncateSync(path, statSync(path).size - 1),
      (path: string) => truncateSync(path, 0),
      (path: string) => rmSync(path),
    ]) {
      const spoiled = scratch();
      cpSync(to, spoiled, { recursive: true });
      spoil(join(spoiled, name));
      expect((await faultsIn(spoiled))[id]).toHaveLength(1);
    }
  }
});

test("lists other sets beside a damaged one", async () => {
  const to = scratch();
  const first = await backUpTo(testServer, to);
  const second = await backUpTo(testServer, to);
  const [newest] = filesIn(to).filter((path) => path.startsWith(`sets/${second.id}`));
  flip(join(to, newest!), 99);
  const faults = await faultsIn(to);
  expect(faults[first.id]).toEqual([]);
  expect(faults[second.id]).toEqual([expect.stringContaining("is damaged")]);
  expect((await tryRestore(to, scratch(), "--set", first.id)).code).toBe(0);
});

test("decrypts encrypted sets only with their key, and file names reveal nothing", async () => {
  const identity = await generateX25519Identity();
  const other = await generateX25519Identity();
  const to = scratch();
  const recipients = [await identityToRecipient(identity)];
  const { id } = await backUpTo(testServer, to, { recipients });
  expect(await faultsIn(to)).toEqual({ [id]: [] });
  const hashes = filesIn(to).filter((name) => /files\/..\/[0-9a-f]{64}$/.test(name));
  expect(hashes).toEqual([]);
  const file = async (key: string) => {
    const path = join(scratch(), "key");
    await Bun.write(path, `# a comment\n${key}\n`);
    return path;
  };
  const restoreWith = (...args: string[]) => tryRestore(to, scratch(), ...args);
  expect((await restoreWith()).err).toContain("pass the file of the private key with --identity");
  expect((await restoreWith("--identity", await file(other))).err).toContain("cannot be read");
  expect((await restoreWith("--identity", await file("no key"))).err).toContain(
    "no line AGE-SECRET",
  );
  const { code, out } = await restoreWith("--identity", await file(identity));
  expect([code, out]).toEqual([0, expect.stringContaining("1 files")]);
});
