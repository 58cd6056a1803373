// Queued emails are retried, given up, kept over a restart, and sent once each.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createUser } from "../../src/features/accounts/actions.ts";
import { EMAILS_AT_ONCE, MAIL_RETRIES } from "../../src/features/email-delivery/jobs.ts";
import { MAIL } from "../../src/features/mail/actions.ts";
import { enqueueMissed } from "../../src/features/notifications/enqueue.ts";
import { SEND_MISSED } from "../../src/features/notifications/email-delay.ts";
import { deliverDueMail, startTestServerWithMail, type MailServer } from "../mail/mail-server.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let testServer: TestServer;
let mailServer: MailServer;
beforeEach(async () => {
  ({ testServer, mailServer } = await startTestServerWithMail());
});
afterEach(async () => {
  await testServer.close();
  await mailServer.close();
});

const HOUR = 3_600;
const invite = (invitee_emails: string) =>
  testServer.request("ada", "POST /invites", {
    ...{ invitee_emails, stream_ids: [], invite_expires_in_minutes: null },
  });
const dueMailJobs = () =>
  [...testServer.realm.read.due.range()].filter(({ kind }) => kind === MAIL);

test("retries a busy mail server, with the same message id", async () => {
  const ids: (string | undefined)[] = [];
  mailServer.refusalCodeFor = () => 451;
  await invite("nia@example.com");
  await deliverDueMail(testServer);
  expect(dueMailJobs()).toMatchObject([{ attempts: 1 }]);
  const [{ job_id }] = dueMailJobs() as [ReturnType<typeof dueMailJobs>[number]];
  const { realm_uuid } = testServer.realm.read.realm.get(1)!;
  mailServer.refusalCodeFor = () => undefined;
  testServer.clock.passSeconds(MAIL_RETRIES.first_ms / 1000);
  await deliverDueMail(testServer);
  ids.push(...mailServer.received.map(({ mail }) => mail.messageId));
  expect(ids).toEqual([`<${job_id}.${realm_uuid}@127.0.0.1>`]);
  expect(dueMailJobs()).toEqual([]);
});

test("drops an email that is rejected permanently, and sends the others", async () => {
  mailServer.refusalCodeFor = (to) => (to === "gone@example.com" ? 550 : undefined);
  await invite("gone@example.com, nia@example.com");
  await deliverDueMail(testServer);
  expect(dueMailJobs()).toEqual([]);
  expect(mailServer.received.map(({ to }) => to)).toEqual(["nia@example.com"]);
});

test("gives up an email after days, and not earlier", async () => {
  mailServer.refusalCodeFor = () => 421;
  await invite("nia@example.com");
  let [hours, attempts] = [0, 0];
  for (
    await deliverDueMail(testServer);
    dueMailJobs().length > 0;
    await deliverDueMail(testServer)
  ) {
    attempts = dueMailJobs()[0]!.attempts;
    testServer.clock.passSeconds(HOUR);
    hours += 1;
  }
  expect(attempts).toBe(MAIL_RETRIES.attempts_max - 1);
  expect(hours).toBeGreaterThan(2 * 24);
  expect(hours).toBeLessThan(5 * 24);
});

test("sends waiting emails after a restart, and sent ones not again", async () => {
  await invite("first@example.com");
  await deliverDueMail(testServer);
  mailServer.refusalCodeFor = () => 451;
  await invite("second@example.com");
  await deliverDueMail(testServer);
  await testServer.restart();
  mailServer.refusalCodeFor = () => undefined;
  testServer.clock.passSeconds(MAIL_RETRIES.first_ms / 1000);
  await deliverDueMail(testServer);
  expect(mailServer.received.map(({ to }) => to)).toEqual([
    "first@example.com",
    "second@example.com",
  ]);
});

test("sends many emails a few at a time, each once", async () => {
  const everyone = Array.from({ length: 25 }, (_, index) => `p${index}@example.com`);
  let [open, max] = [0, 0];
  mailServer.refusalCodeFor = () => {
    open -= 1;
    return undefined;
  };
  mailServer.onMail = () => {
    open += 1;
    max = Math.max(max, open);
  };
  await invite(everyone.join());
  await deliverDueMail(testServer);
  expect(mailServer.received.map(({ to }) => to).sort()).toEqual(everyone.sort());
  expect(max).toBeLessThanOrEqual(EMAILS_AT_ONCE);
});

test("notifies many mentioned users in batches, each once", async () => {
  const userCount = 130;
  await testServer.realm.write((tx) => {
    for (let n = 0; n < userCount; n++) {
      createUser(tx, { email: `p${n}@example.com`, full_name: `Person ${n}`, role: 400 });
    }
  });
  const all = { type: "stream", to: "general", topic: "news", content: "@**all**" };
  await testServer.request("olga", "POST /messages", all);
  await enqueueMissed(testServer.realm);
  const sends = [...testServer.realm.read.due.range()].filter(({ kind }) => kind === SEND_MISSED);
  const people = [...testServer.realm.read.missed_mail.range()].map(({ user_id }) => user_id);
  // All test users except the sender, the guest, who is not subscribed, and the bot.
  expect(people).toHaveLength(userCount + 4);
  expect(sends).toHaveLength(userCount + 4);
  // The transaction may last beyond the end of a second, so the first 100 can have two times.
  const laterTimes = sends.slice(100).map(({ at: time }) => time);
  const gaps = laterTimes.slice(1).map((time, index) => time - laterTimes[index]!);
  expect(gaps.filter((ms) => ms < 200)).toEqual([]);
  await enqueueMissed(testServer.realm);
  await testServer.restart();
  await enqueueMissed(testServer.realm);
  expect([...testServer.realm.read.missed_mail.range()]).toHaveLength(userCount + 4);
});

test("stores no emails if no mail server is configured", async () => {
  const quiet = await startTestServer();
  await quiet.request("ada", "POST /invites", {
    invitee_emails: "nia@example.com",
    stream_ids: [],
  });
  expect([...quiet.realm.read.due.range()].filter(({ kind }) => kind === MAIL)).toEqual([]);
  await quiet.close();
});
