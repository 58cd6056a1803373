// `skein mail test`, and the flags that name a mail server.
import { readFileSync } from "node:fs";
import { DEFAULT_DATA, type MailConfig } from "../config.ts";
import { isEmail } from "../features/users/rules.ts";
import { carryOut } from "./control.ts";
import { command, Trouble, UsageError } from "./flags.ts";

export const mailFlags = {
  "smtp-url": {
    value: "URL",
    about: "the mail server, such as smtps://user@mail.example.com:465; without it no mail is sent",
  },
  "smtp-password-file": {
    value: "FILE",
    about: "a file whose first line is the password there, if SKEIN_SMTP_PASSWORD is not set",
  },
  "mail-from": {
    value: "ADDRESS",
    about: "what the mail comes from: chat@example.com, or 'Chat <chat@example.com>'",
  },
} as const;

type MailFlags = Readonly<Record<keyof typeof mailFlags, string | undefined>>;

/** undefined: no mail. The password is no flag: everyone on a machine sees its command lines. */
export function mailConfig(flags: MailFlags): MailConfig | undefined {
  const { "smtp-url": smtp_url, "smtp-password-file": file, "mail-from": from } = flags;
  if (smtp_url === undefined) {
    if (from === undefined && file === undefined) return undefined;
    throw new UsageError("--smtp-url is missing");
  }
  if (from === undefined) throw new UsageError("--mail-from is missing");
  checkUrl(smtp_url);
  const password = process.env["SKEIN_SMTP_PASSWORD"] || firstLineOf(file);
  return { smtp_url, from: senderIn(from), ...(password !== undefined && { password }) };
}

function checkUrl(text: string): void {
  const url = URL.parse(text);
  if (url?.password) {
    throw new UsageError("--smtp-url holds a password: give it as SKEIN_SMTP_PASSWORD");
  }
  const isBare = url && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
  if (isBare && /^\/?$/.test(url.pathname) && url.search === "" && url.hash === "") return;
  throw new UsageError(`--smtp-url is smtp://HOST:PORT or smtps://USER@HOST:PORT, and not ${text}`);
}

function senderIn(text: string): MailConfig["from"] {
  const [, name = "", address = text] = /^(.*?)\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const bare = address.trim();
  if (isEmail(bare))
    return { name: name.trim().replace(/^"(.*)"$/, "$1") || "Skein", address: bare };
  throw new UsageError(`--mail-from is an address such as chat@example.com, and not ${text}`);
}

function firstLineOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readFileSync(file, "utf8").split(/\r?\n/, 1)[0];
}

export const testMail = command({
  about: "sends a letter, and tells what the mail server said",
  flags: {
    data: { value: "DIR", otherwise: DEFAULT_DATA, about: "the data directory" },
    to: { value: "ADDRESS", required: true, about: "whom to write to" },
    ...mailFlags,
    json: { about: "prints host and said as JSON" },
  },
  notes: "Without --smtp-url, a server that runs on the directory sends it by its own settings.",
  async run({ data, to, json, ...flags }) {
    if (!isEmail(to)) throw new UsageError(`--to is an address such as you@example.com`);
    const told = await carryOut(data, "testMail", { to, mail: mailConfig(flags) });
    if ("trouble" in told) throw new Trouble(told.trouble);
    if (json) console.log(JSON.stringify(told));
    else console.log(`${told.host} took the letter to ${to}, and said: ${told.said}`);
  },
});
