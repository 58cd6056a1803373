// The nightly backup with its drill: when it is made, what is said of it, and who hears of trouble.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { backUpNightly } from "../../src/features/backup/nightly-later.ts";
import { DEFAULT_KEEP } from "../../src/features/backup/rules.ts";
import { backupState } from "../../src/features/backup/state.ts";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { emailOf } from "../cast.ts";
import { upload } from "../features/uploading.ts";
import { delivered, startTestServerWithMail, type PostOffice } from "../mail/office.ts";
import { noise } from "../seed.ts";
import type { TestServer } from "../test-server.ts";
import { filesIn, flip, scratch } from "./kept.ts";

let testServer: TestServer;
let office: PostOffice;
let to: string;
beforeEach(async () => {
  ({ testServer, office } = await startTestServerWithMail());
  testServer.clock.stop();
  to = scratch();
  const place = { to: { directory: to }, recipients: [], keep: DEFAULT_KEEP };
  testServer.realm.config.backup = { ...place, at_minutes: 180, with_secrets: false };
  await upload(testServer, "bo", { name: "a.bin", bytes: noise(1_000) });
  const said = { type: "direct", to: [testServer.idOf("cy")], content: "hello" };
  await testServer.ask("bo", "POST /messages", said);
});
afterEach(async () => {
  await testServer.close();
  await office.close();
});

const HOUR = 3_600;
const sets = () => filesIn(to).filter((name) => name.startsWith("sets"));
const probed = async () => (await fetch(`${testServer.url}/readyz?verbose`)).text();
/** Of backups; people miss messages meanwhile. */
const letters = () => office.received.filter(({ mail }) => /backup/i.test(mail.subject ?? ""));
const told = () => letters().map(({ to }) => to);

test("one is made a day, and drilled, and the probe says so", async () => {
  expect(await probed()).toBe("ok\nbackup: none yet\n");
  await backUpNightly(testServer.realm);
  expect(sets()).toHaveLength(1);
  const { made, drill } = backupState(testServer.realm);
  expect(drill!.is_good).toBe(true);
  expect(drill!.words).toEndWith("1 messages and 1 files compared");
  const when = new Date(testServer.clock.now()).toISOString();
  expect(await probed()).toBe(`ok\nbackup: green, last good ${when}\ndrill: green, ${when}\n`);
  await backUpNightly(testServer.realm);
  expect(backupState(testServer.realm).made).toEqual(made!);
  testServer.clock.pass(24 * HOUR);
  await backUpNightly(testServer.realm);
  expect(sets()).toHaveLength(2);
  expect(filesIn(join(testServer.realm.config.data, "snapshots"))).toEqual([]);
  await delivered(testServer);
  expect(letters()).toEqual([]);
  expect(await (await fetch(`${testServer.url}/readyz`)).text()).toBe("ok\n");
});

test("a drill that fails is red, and the owners alone hear of it, once", async () => {
  await backUpNightly(testServer.realm);
  const [file] = filesIn(to).filter((name) => name.startsWith("files"));
  flip(join(to, file!), 99);
  for (let night = 0; night < 2; night++) {
    testServer.clock.pass(24 * HOUR);
    await backUpNightly(testServer.realm);
    await delivered(testServer);
    expect(backupState(testServer.realm).drill).toMatchObject({ is_good: false });
    expect(await probed()).toContain("drill: red");
  }
  expect(told()).toEqual([emailOf("olga")]);
  const [letter] = letters();
  expect(letter!.mail.text).toContain("is damaged");
  // What is there again is good again, and the next trouble is told of.
  flip(join(to, file!), 99);
  for (const isBad of [false, true]) {
    testServer.clock.pass(24 * HOUR);
    if (isBad) flip(join(to, file!), 99);
    await backUpNightly(testServer.realm);
    await delivered(testServer);
  }
  expect(told()).toHaveLength(2);
});

test("owners of one of several hear that it failed, and not where", async () => {
  testServer.realm.config.subdomain = "town";
  rmSync(to, { recursive: true });
  await Bun.write(to, "a file where the disk should be");
  await backUpNightly(testServer.realm);
  await delivered(testServer);
  const [letter] = letters();
  expect(backupState(testServer.realm).failed!.words).toContain(to);
  expect(letter!.mail.text).toContain("The server log has the reason");
  expect(letter!.mail.text).not.toContain(to);
  rmSync(to);
});

test("one that fails is tried again after an hour, and says why", async () => {
  rmSync(to, { recursive: true });
  await Bun.write(to, "a file where the disk should be");
  await backUpNightly(testServer.realm);
  const failed = backupState(testServer.realm).failed!;
  expect(failed.words).toContain(to);
  expect(await probed()).toBe("ok\nbackup: red\n");
  rmSync(to);
  await backUpNightly(testServer.realm);
  expect(backupState(testServer.realm).failed).toEqual(failed);
  testServer.clock.pass(HOUR);
  await backUpNightly(testServer.realm);
  expect(backupState(testServer.realm).failed).toBeUndefined();
  expect(sets()).toHaveLength(1);
  await delivered(testServer);
  expect(told()).toEqual([emailOf("olga")]);
});

test("what is encrypted is drilled where the server has its key", async () => {
  const identity = await generateX25519Identity();
  const recipients = [await identityToRecipient(identity)];
  const backup = { ...testServer.realm.config.backup!, recipients };
  testServer.realm.config.backup = backup;
  await backUpNightly(testServer.realm);
  expect(await probed()).toContain("drill: not possible");
  testServer.realm.config.backup = { ...backup, identity };
  testServer.clock.pass(24 * HOUR);
  await backUpNightly(testServer.realm);
  expect(await probed()).toContain("drill: green");
});
