// Backups while users write, on full or missing disks, and by processes that are killed.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DirectoryTarget } from "../../src/features/backup/directory-target.ts";
import { backUp } from "../../src/features/backup/run.ts";
import { BucketTarget } from "../../src/features/backup/bucket-target.ts";
import { discardLater } from "../../src/features/files/discard.ts";
import { Bucket } from "../../src/outbound/bucket.ts";
import { schema } from "../../src/realm.ts";
import { openReading } from "../../src/store/copy/read-only.ts";
import { walkDatabase } from "../../src/store/copy/walk.ts";
import { openBucket } from "../s3-server.ts";
import { skein } from "../commands/skein.ts";
import { canMount, smallFileSystem } from "../crash/small-disk.ts";
import { discarded, upload } from "../features/upload-fixture.ts";
import { ProcessOutput } from "../process-output.ts";
import { noise, SEED } from "../random.ts";
import { chanceOf } from "../store/sample-schema.ts";
import { startTestServer } from "../test-server.ts";
import { backUpTo, faultsIn, restoreInto, scratch } from "./backup-fixture.ts";

const WRITERS = 32;
const COPIES = 20;

test(`all of ${COPIES} copies under ${WRITERS} writers open and are intact`, async () => {
  const testServer = await startTestServer();
  try {
    let isOver = false;
    let writtenCount = 0;
    const writer = async (_: unknown, nth: number) => {
      for (let index = 0; !isOver; index++) {
        const message = { type: "direct", to: [testServer.idOf("bo")], content: `${nth} ${index}` };
        await testServer.request(nth % 2 ? "bo" : "cy", "POST /messages", message);
        writtenCount++;
      }
    };
    const writing = Array.from({ length: WRITERS }, writer);
    const folder = scratch();
    let before = 0;
    for (let index = 0; index < COPIES; index++) {
      const path = join(folder, `${index}.mdb`);
      await testServer.realm.copyTo(path);
      const { damage, counts } = await walkDatabase(path, schema);
      expect(damage).toEqual([]);
      expect(counts["messages"] ?? 0).toBeGreaterThanOrEqual(before);
      const { tables, last, close } = openReading(path, schema);
      expect([...tables.messages.range()]).toHaveLength(counts["messages"] ?? 0);
      const newest = [...tables.messages.range({ reverse: true, limit: 1 })][0]?.id ?? 0;
      expect(last("messages")).toBeGreaterThanOrEqual(newest);
      await close();
      before = writtenCount;
      rmSync(path);
    }
    isOver = true;
    await Promise.all(writing);
    expect(writtenCount).toBeGreaterThan(COPIES);
  } finally {
    await testServer.close();
  }
});

const CHILD = [process.execPath, join(import.meta.dir, "killed-child.ts")];

test("killed at every step, a run leaves earlier sets intact", async () => {
  const testServer = await startTestServer();
  const to = scratch();
  const data = join(scratch(), "data");
  try {
    for (let index = 0; index < 3; index++) {
      await upload(testServer, "bo", { name: `${index}.bin`, bytes: noise(40_000) });
    }
    await backUpTo(testServer, to);
    await restoredTo(to, data);
  } finally {
    await testServer.close();
  }
  const random = chanceOf(SEED);
  let steps = 0;
  for (let index = 0, isDone = false; !isDone; index++) {
    const child = Bun.spawn([...CHILD, data, to, String(index), String(random.below(3))], {
      stdout: "pipe",
    });
    const text = await ProcessOutput.from(child.stdout).readWhole();
    await child.exited;
    isDone = text.includes("done");
    expect(isDone || child.signalCode === "SIGKILL").toBe(true);
    const faults = await faultsIn(to);
    expect(Object.values(faults).flat()).toEqual([]);
    expect(Object.keys(faults).length).toBeGreaterThan(0);
    steps++;
  }
  expect(steps).toBeGreaterThan(5);
  await restoreInto(to);
});

async function restoredTo(from: string, data: string): Promise<void> {
  expect((await skein(["restore", "--from", from, "--into", data])).code).toBe(0);
}

test.skipIf(!canMount())("reports missing disk space, and leaves no files", async () => {
  const testServer = await startTestServer();
  using disk = smallFileSystem();
  try {
    await upload(testServer, "bo", { name: "a.bin", bytes: noise(4_000_000) });
    const to = join(disk.directory, "backups");
    await expect(backUpTo(testServer, to)).rejects.toThrow(/no space|MiB are needed/i);
    expect(existsSync(to)).toBe(false);
    const remainingFiles = readdirSync(join(testServer.realm.config.data, "snapshots"));
    expect(remainingFiles).toEqual([]);
    // Other users' requests and the next backup succeed.
    await testServer.request("bo", "POST /messages", {
      type: "direct",
      to: [testServer.idOf("cy")],
      content: "x",
    });
    expect(await backUpTo(testServer, scratch())).toMatchObject({ missing: [], damage: [] });
  } finally {
    await testServer.close();
  }
});

test("a rejected backup deletes what it created, and nothing else", async () => {
  const testServer = await startTestServer();
  try {
    await upload(testServer, "bo", { name: "a.bin", bytes: noise(1_000) });
    const [folder, refusal] = [scratch(), "none of the 1 files exist"];
    const { data } = testServer.realm.config;
    rmSync(join(data, "uploads"), { recursive: true });
    await expect(backUpTo(testServer, join(folder, "new/backups"))).rejects.toThrow(refusal);
    expect(readdirSync(folder)).toEqual([]);
    // A directory that existed is kept, with the files in it.
    writeFileSync(join(folder, "own"), "");
    await expect(backUpTo(testServer, folder)).rejects.toThrow(refusal);
    expect(readdirSync(folder)).toContain("own");
  } finally {
    await testServer.close();
  }
});

test("names a location that is not writable or in use", async () => {
  const testServer = await startTestServer();
  try {
    const file = join(scratch(), "a file");
    writeFileSync(file, "");
    await expect(backUpTo(testServer, file)).rejects.toThrow(file);
    const { data } = testServer.realm.config;
    await expect(backUpTo(testServer, data)).rejects.toThrow(`${data} is a data directory`);
    const to = scratch();
    const free = new DirectoryTarget(to).lock();
    await expect(backUpTo(testServer, to)).rejects.toThrow(`another backup is running in ${to}`);
    free();
    const first = backUpTo(testServer, to);
    await expect(backUpTo(testServer, scratch())).rejects.toThrow("a backup is already running");
    await first;
    const other = await startTestServer();
    try {
      await expect(backUpTo(other, to)).rejects.toThrow("contains backups of another organization");
    } finally {
      await other.close();
    }
  } finally {
    await testServer.close();
  }
});

test("keeps a file that is deleted meanwhile until the backup has it", async () => {
  const testServer = await startTestServer();
  try {
    const url = await upload(testServer, "bo", { name: "a.bin", bytes: noise(1_000) });
    const path = `files/${url.split("/").slice(3, 5).join("/")}`;
    const to = scratch();
    const target = new DirectoryTarget(to);
    const checkRoom = target.checkRoom.bind(target);
    // The database copy exists at the time of this call, and names the file.
    let isRequested: Promise<unknown> | undefined;
    target.checkRoom = (bytes) => {
      checkRoom(bytes);
      isRequested = testServer.realm.write((tx) => discardLater(tx, [path]));
    };
    const backupResult = await backUp(testServer.realm, target, { recipients: [] });
    expect(backupResult).toMatchObject({ files: 1, missing: [] });
    await isRequested;
    await discarded(testServer);
    expect(
      await backUpTo(testServer, to, { resend: true }).catch((error: Error) => error.message),
    ).toContain("none of the 1 files exist");
  } finally {
    await testServer.close();
  }
});

test("encrypts everything in a bucket, with keys that only write and read", async () => {
  const bucket = await openBucket();
  const testServer = await startTestServer();
  try {
    await upload(testServer, "bo", { name: "a.bin", bytes: noise(5_000_000) });
    const target = new BucketTarget("s3://b", new Bucket(bucket.config), "kept", scratch());
    await expect(backUp(testServer.realm, target, { recipients: [] })).rejects.toThrow(
      "must be encrypted",
    );
    expect(await bucket.keys()).toEqual([]);
    bucket.shouldFail = (method) => method === "GET" || method === "HEAD" || method === "DELETE";
    const order = { recipients: [RECIPIENT] };
    const first = await backUp(testServer.realm, target, order);
    const second = await backUp(testServer.realm, target, order);
    expect(second.sent_bytes).toBeLessThan(first.sent_bytes / 10);
    bucket.shouldFail = () => false;
    const keys = await bucket.keys();
    expect(keys.filter((key) => key.startsWith("kept/sets/"))).toHaveLength(2);
    expect(keys.filter((key) => key.startsWith("kept/files/"))).toHaveLength(1);
    bucket.shouldFail = () => true;
    await expect(backUp(testServer.realm, target, order)).rejects.toThrow("s3://b");
  } finally {
    await testServer.close();
    await bucket.close();
  }
});

/** A public key whose private key is unknown. */
const RECIPIENT = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
