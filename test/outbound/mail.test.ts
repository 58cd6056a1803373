// Sending emails to a mail server: TLS, authentication, safe headers, and its responses.
import { afterEach, expect, test } from "bun:test";
import type { SMTPServerOptions } from "smtp-server";
import { type OutgoingEmail, MailFailed, sendEmail } from "../../src/outbound/mail.ts";
import { MailServer } from "../mail/mail-server.ts";
import { cert, key } from "./certificate.ts";

let mailServer: MailServer;
afterEach(() => mailServer.close());

const CHARACTER: OutgoingEmail = {
  message_id: "<1@town.example>",
  to: { name: "Bo", address: "bo@example.com" },
  from_name: undefined,
  subject: "Hello",
  text: "Hello, Bo\n",
  html: "<p>Hello, Bo</p>",
  headers: { "Auto-Submitted": "auto-generated" },
  date: new Date("2026-01-02T03:04:05Z"),
};

async function post(options: SMTPServerOptions, email: Partial<OutgoingEmail> = {}, url?: string) {
  mailServer = await MailServer.open(options);
  const smtp_url = url?.replace("PORT", String(mailServer.port)) ?? mailServer.config.smtp_url;
  const config = { ...mailServer.config, smtp_url, password: "open sesame" };
  return sendEmail(config, { ...CHARACTER, ...email });
}

const expectMailFailed = async (posted: Promise<unknown>): Promise<MailFailed> => {
  const error = await posted.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(MailFailed);
  return error as MailFailed;
};

const refuseRecipients = (responseCode: number): SMTPServerOptions => ({
  onRcptTo: (_to, _session, callback) =>
    callback(Object.assign(new Error("no such\r\nmailbox"), { responseCode })),
});

test("sends an email in two formats, with date and id, from the operator", async () => {
  expect(await post({})).toStartWith("250");
  const [{ mail, to }] = mailServer.received as [MailServer["received"][number]];
  expect(to).toBe("bo@example.com");
  expect(mail).toMatchObject({
    subject: "Hello",
    messageId: "<1@town.example>",
    date: CHARACTER.date,
    text: "Hello, Bo\n",
    html: "<p>Hello, Bo</p>",
  });
  expect(mail.from!.value).toEqual([{ name: "Town Mail", address: "chat@town.example" }]);
  expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
});

test("no name, subject or header creates another header or recipient", async () => {
  const evil = 'Eve, "the\r\nBcc: victim@example.com\r\nÜnïcode\u2028" <eve@example.com>';
  await post({}, { to: { name: evil, address: "bo@example.com" }, from_name: evil, subject: evil });
  const [{ mail, headers, to }] = mailServer.received as [MailServer["received"][number]];
  expect(to).toBe("bo@example.com");
  expect(headers.filter((line) => /^(bcc|cc):/i.test(line))).toEqual([]);
  const name = 'Eve, "the Bcc: victim@example.com Ünïcode " <eve@example.com>';
  expect(mail.from!.value).toEqual([{ name, address: "chat@town.example" }]);
  expect([mail.to].flat()[0]!.value).toEqual([{ name, address: "bo@example.com" }]);
  expect(mail.subject).toBe(name);
});

test("distinguishes permanent from temporary errors", async () => {
  const never = await expectMailFailed(post(refuseRecipients(550)));
  expect([never.isFinal, never.message]).toEqual([true, expect.stringContaining("550 no such")]);
  await mailServer.close();
  expect((await expectMailFailed(post(refuseRecipients(451)))).isFinal).toBe(false);
  await mailServer.close();
  const failure = await expectMailFailed(post({}, {}, "smtp://127.0.0.1:1"));
  expect([failure.isFinal, failure.message]).toEqual([
    false,
    expect.stringContaining("cannot reach"),
  ]);
});

test("removes secrets from what a server repeats of an email", async () => {
  const onMailFrom: SMTPServerOptions["onMailFrom"] = (_from, _session, callback) =>
    callback(
      Object.assign(new Error("I do not like HTTPS://town.example/join/secret/"), {
        responseCode: 554,
      }),
    );
  const { message } = await expectMailFailed(post({ onMailFrom }));
  expect(message).toContain("554 I do not like …");
});

test("retries later if a server rejects the sign-in", async () => {
  const onAuth: SMTPServerOptions["onAuth"] = ({ username, password }, _session, callback) =>
    password === "open sesame" && username === "me@town.example"
      ? callback(null, { user: username })
      : callback(new Error("who are you"));
  const signedIn = { onAuth, authOptional: false };
  expect(await post(signedIn, {}, "smtp://me%40town.example@127.0.0.1:PORT")).toStartWith("250");
  await mailServer.close();
  const refusal = await expectMailFailed(post(signedIn, {}, "smtp://you@127.0.0.1:PORT"));
  expect(refusal.isFinal).toBe(false);
  expect(refusal.message).toContain("rejected the sign-in: 535");
  expect(refusal.message).not.toContain("sesame");
});

test("encrypts an email if the server offers STARTTLS", async () => {
  let isSecure = false;
  const options: SMTPServerOptions = {
    ...{ key, cert, disabledCommands: [] },
    onMailFrom: (_from, session, callback) => {
      isSecure = session.secure;
      callback();
    },
  };
  expect(await post(options)).toStartWith("250");
  expect(isSecure).toBe(true);
});

test("sends with required TLS only to a verified server", async () => {
  const unknown = await expectMailFailed(
    post({ secure: true, key, cert }, {}, "smtps://127.0.0.1:PORT"),
  );
  expect([unknown.isFinal, unknown.message]).toEqual([
    false,
    expect.stringMatching(/cannot reach .*certificate/i),
  ]);
  expect(mailServer.received).toEqual([]);
});
