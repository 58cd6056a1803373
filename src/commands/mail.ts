// `skein mail test`, and the flags for the SMTP server.
import { DEFAULT_DATA, type MailConfig } from "../contract/config.ts";
import { isEmail } from "../features/rights/rules.ts";
import { carryOut } from "./control.ts";
import { command, CommandError, type Flags, UsageError, type Values } from "./flags.ts";

export const mailFlags = {
  "smtp-url": {
    value: "URL",
    live: true,
    about: "the mail server, such as smtps://user@mail.example.com:465; without it no mail is sent",
  },
  "smtp-password": { value: "PASSWORD", secret: true, live: true, about: "the password there" },
  "mail-from": {
    value: "ADDRESS",
    live: true,
    about: "the sender of email: chat@example.com, or 'Chat <chat@example.com>'",
  },
} as const satisfies Flags;

type MailFlags = Values<typeof mailFlags>;

/** Returns undefined if email is not configured. */
export function mailConfig(flags: MailFlags): MailConfig | undefined {
  const { "smtp-url": smtp_url, "smtp-password": password, "mail-from": from } = flags;
  if (smtp_url === undefined) {
    if (from === undefined) return undefined;
    throw new UsageError("--smtp-url is missing");
  }
  if (from === undefined) throw new UsageError("--mail-from is missing");
  checkUrl(smtp_url);
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
  const [, name = "", address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const bare = address.trim();
  if (isEmail(bare))
    return { name: name.trim().replace(/^"(.*)"$/, "$1") || "Skein", address: bare };
  throw new UsageError(`--mail-from is an address such as chat@example.com, and not ${text}`);
}

export const testMail = command({
  about: "sends a test email, and shows the mail server's response",
  examples: ["skein mail test --to olga@example.com"],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, about: "the data directory" },
    to: { value: "ADDRESS", required: true, about: "whom to write to" },
    ...mailFlags,
    json: { about: "prints host and said as JSON" },
  },
  notes: "Without --smtp-url, a server that runs on the directory sends it by its own settings.",
  async run({ data, to, json, ...flags }) {
    if (!isEmail(to)) throw new UsageError(`--to is an address such as you@example.com`);
    const told = await carryOut(data, "testMail", { to, mail: mailConfig(flags) });
    if ("trouble" in told) throw new CommandError(told.trouble);
    if (json) console.log(JSON.stringify(told));
    else console.log(`${told.host} took the letter to ${to}, and said: ${told.said}`);
  },
});
