// The nightly backup and its restore test: when it runs, what it reports, and who gets emails.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { backUpNightly } from "../../src/features/backup/nightly-jobs.ts";
import { DEFAULT_KEEP } from "../../src/features/backup/rules.ts";
import { backupState } from "../../src/features/backup/state.ts";
import { generateX25519Identity, identityToRecipient } from "age-encryption";
import { emailOf } from "../users.ts";
import { upload } from "../features/upload-fixture.ts";
import { deliverDueMail, startTestServerWithMail, type MailServer } from "../mail/mail-server.ts";
import { noise } from "../random.ts";
import type { TestServer } from "../test-server.ts";
import { filesIn, flip, scratch } from "./backup-fixture.ts";

let testServer: TestServer;
let mailServer: MailServer;
let to: string;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
  testServer.clock.stop();
  to = scratch();
  const backupSettings = { to: { directory: to }, recipients: [], keep: DEFAULT_KEEP };
  testServer.realm.config.backup = { ...backupSettings, at_minutes: 180, with_secrets: false };
  await upload(testServer, "bo", { name: "a.bin", bytes: noise(1_000) });
  const message = { type: "direct", to: [testServer.idOf("cy")], content: "hello" };
  await testServer.request("bo", "POST /messages", message);
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const HOUR = 3_600;
const listSets = () => filesIn(to).filter((name) => name.startsWith("sets"));
const getReadiness = async () => (await fetch(`${testServer.url}/readyz?verbose`)).text();
/** Emails about backups. There are also emails about missed messages. */
const backupMails = () =>
  mailServer.received.filter(({ mail }) => /backup/i.test(mail.subject ?? ""));
const emailRecipients = () => backupMails().map(({ to }) => to);

test("makes and tests one backup a day, as the probe reports", async () => {
  expect(await getReadiness()).toBe("ok\nbackup: none yet\n");
  await backUpNightly(testServer.realm);
  expect(listSets()).toHaveLength(1);
  const { made: created, drill } = backupState(testServer.realm);
  expect(drill!.is_good).toBe(true);
  expect(drill!.words).toEndWith("1 messages and 1 files compared");
  const when = new Date(testServer.clock.now()).toISOString();
  expect(await getReadiness()).toBe(
    `ok\nbackup: ok, last good ${when}\nrestore test: passed, ${when}\n`,
  );
  await backUpNightly(testServer.realm);
  expect(backupState(testServer.realm).made).toEqual(created!);
  testServer.clock.passSeconds(24 * HOUR);
  await backUpNightly(testServer.realm);
  expect(listSets()).toHaveLength(2);
  expect(filesIn(join(testServer.realm.config.data, "snapshots"))).toEqual([]);
  await deliverDueMail(testServer);
  expect(backupMails()).toEqual([]);
  expect(await (await fetch(`${testServer.url}/readyz`)).text()).toBe("ok\n");
});

test("reports a failed restore test to the probe, and to the owners once", async () => {
  await backUpNightly(testServer.realm);
  const [file] = filesIn(to).filter((name) => name.startsWith("files"));
  flip(join(to, file!), 99);
  for (let night = 0; night < 2; night++) {
    testServer.clock.passSeconds(24 * HOUR);
    await backUpNightly(testServer.realm);
    await deliverDueMail(testServer);
    expect(backupState(testServer.realm).drill).toMatchObject({ is_good: false });
    expect(await getReadiness()).toContain("restore test: failed");
  }
  expect(emailRecipients()).toEqual([emailOf("olga")]);
  const [email] = backupMails();
  expect(email!.mail.text).toContain("is damaged");
  // The restored file is intact again; the next damage is reported again.
  flip(join(to, file!), 99);
  for (const isBad of [false, true]) {
    testServer.clock.passSeconds(24 * HOUR);
    if (isBad) flip(join(to, file!), 99);
    await backUpNightly(testServer.realm);
    await deliverDueMail(testServer);
  }
  expect(emailRecipients()).toHaveLength(2);
});

test("tells owners of one of several organizations of a failure, without paths", async () => {
  testServer.realm.config.subdomain = "town";
  rmSync(to, { recursive: true });
  await Bun.write(to, "a file where the disk should be");
  await backUpNightly(testServer.realm);
  await deliverDueMail(testServer);
  const [email] = backupMails();
  expect(backupState(testServer.realm).failed!.words).toContain(to);
  expect(email!.mail.text).toContain("The server log has the reason");
  expect(email!.mail.text).not.toContain(to);
  rmSync(to);
});

test("retries a failed backup after an hour, with the reason", async () => {
  rmSync(to, { recursive: true });
  await Bun.write(to, "a file where the disk should be");
  await backUpNightly(testServer.realm);
  const failed = backupState(testServer.realm).failed!;
  expect(failed.words).toContain(to);
  expect(await getReadiness()).toBe("ok\nbackup: failed\n");
  rmSync(to);
  await backUpNightly(testServer.realm);
  expect(backupState(testServer.realm).failed).toEqual(failed);
  testServer.clock.passSeconds(HOUR);
  await backUpNightly(testServer.realm);
  expect(backupState(testServer.realm).failed).toBeUndefined();
  expect(listSets()).toHaveLength(1);
  await deliverDueMail(testServer);
  expect(emailRecipients()).toEqual([emailOf("olga")]);
});

test("tests encrypted backups if the server has their key", async () => {
  const identity = await generateX25519Identity();
  const recipients = [await identityToRecipient(identity)];
  const backup = { ...testServer.realm.config.backup!, recipients };
  testServer.realm.config.backup = backup;
  await backUpNightly(testServer.realm);
  expect(await getReadiness()).toContain("restore test: not possible");
  testServer.realm.config.backup = { ...backup, identity };
  testServer.clock.passSeconds(24 * HOUR);
  await backUpNightly(testServer.realm);
  expect(await getReadiness()).toContain("restore test: passed");
});
