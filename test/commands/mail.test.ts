// `skein mail test`, the flags that name a mail server, and links to new passwords.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MailServer } from "../mail/mail-server.ts";
import { linesOf, Server, skein } from "./skein.ts";

let folder: string;
let data: string[];
let mailServer: MailServer;
const servers: Server[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-mail-"));
  data = ["--data", join(folder, "data")];
  mailServer = await MailServer.open({
    ...{ authOptional: true, disabledCommands: ["STARTTLS"] },
    onAuth: ({ username, password }, _session, callback) =>
      password === "open sesame"
        ? callback(null, { user: username })
        : callback(new Error("who are you")),
  });
  await skein(["init", ...data, "--name", "Town", ...OLGA]);
});

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop("SIGKILL")));
  await mailServer.close();
  rmSync(folder, { recursive: true, force: true });
});

const OLGA = ["--owner", "olga@example.com", "--full-name", "Olga"];
const TO = ["--to", "op@example.com"];
const flags = (user = "") => [
  ...["--smtp-url", `smtp://${user}127.0.0.1:${mailServer.port}`],
  ...["--mail-from", "Town Mail <chat@town.example>"],
];

test("mail test prints the mail server's response, accepted or not", async () => {
  const file = join(folder, "password");
  writeFileSync(file, "open sesame\n");
  const sent = await skein([
    ...["mail", "test", ...data, ...TO, ...flags("me@"), "--smtp-password-file", file],
  ]);
  expect(sent).toMatchObject({ code: 0, err: "" });
  expect(sent.out).toMatch(
    /127\.0\.0\.1:\d+ accepted the email to op@example.com. Its response: 250/,
  );
  const [{ mail }] = mailServer.mailTo("op@example.com") as [MailServer["received"][number]];
  expect([mail.subject, mail.from!.text]).toEqual([
    "Test email from Town",
    '"Town Mail" <chat@town.example>',
  ]);

  const env = { SKEIN_SMTP_PASSWORD: "wrong" };
  const result = await skein(["mail", "test", ...data, ...TO, ...flags("me@")], { env });
  expect(result).toMatchObject({ code: 1, out: "" });
  expect(result.err).toMatch(/^skein: 127\.0\.0\.1:\d+ rejected the sign-in: 535 who are you\n$/);
  const none = await skein(["mail", "test", ...data, ...TO]);
  expect([none.code, none.err]).toEqual([
    1,
    "skein: no mail server is configured: pass --smtp-url and --mail-from\n",
  ]);
});

test("a running server sends the test with its own settings and links", async () => {
  const server = await Server.start([...data, ...flags()]);
  servers.push(server);
  const result = await skein(["mail", "test", ...data, ...TO, "--json"]);
  expect(linesOf(result)).toMatchObject([{ response: expect.stringMatching(/^250/) }]);
  const link = (await skein(["user", "reset-link", ...data, "--email", "OLGA@example.com"])).out;
  expect(link).toStartWith(`${server.url}/accounts/password/reset/`);
  expect(await (await fetch(link.trim())).text()).toContain("olga@example.com");
  const nobody = await skein(["user", "reset-link", ...data, "--email", "nobody@example.com"]);
  expect([nobody.code, nobody.err]).toEqual([1, "skein: No such user\n"]);
});

test.each([
  [["--smtp-url", "smtp://mail.example.com"], "--mail-from is missing"],
  [["--mail-from", "chat@example.com"], "--smtp-url is missing"],
  [
    ["--smtp-url", "https://mail.example.com", "--mail-from", "a@b.example"],
    "--smtp-url must be smtp://",
  ],
  [
    ["--smtp-url", "smtp://me:secret@mail.example", "--mail-from", "a@b.example"],
    "contains a password",
  ],
  [
    ["--smtp-url", "smtp://mail.example.com", "--mail-from", "chat"],
    "--mail-from must be an address",
  ],
])("a mail server is named whole: %p", async (input, complaint) => {
  const { code, err } = await skein(["mail", "test", ...data, ...TO, ...input]);
  expect([code, err]).toEqual([2, expect.stringContaining(complaint)]);
  expect(err).not.toContain("secret");
});
