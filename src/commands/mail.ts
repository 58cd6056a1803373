// `skein mail test`, and the flags for the SMTP server.
import { DEFAULT_DATA, type MailConfig } from "../contract/config.ts";
import { isEmail } from "../features/rights/rules.ts";
import { executeCommand } from "./control.ts";
import { command, CommandError, type Flags, UsageError, type Values } from "./flags.ts";

export const mailFlags = {
  "smtp-url": {
    value: "URL",
    live: true,
    description:
      "mail server, such as smtps://user@mail.example.com:465; if unset, no email is sent",
  },
  "smtp-password": {
    value: "PASSWORD",
    secret: true,
    live: true,
    description: "the password for the mail server",
  },
  "mail-from": {
    value: "ADDRESS",
    live: true,
    description: "sender of emails: chat@example.com, or 'Chat <chat@example.com>'",
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
    throw new UsageError("--smtp-url contains a password: pass it in SKEIN_SMTP_PASSWORD instead");
  }
  const isPlain = url && /^smtps?:$/.test(url.protocol) && url.hostname !== "";
  if (isPlain && /^\/?$/.test(url.pathname) && url.search === "" && url.hash === "") return;
  throw new UsageError(
    `--smtp-url must be smtp://HOST:PORT or smtps://USER@HOST:PORT, not ${text}`,
  );
}

function senderIn(text: string): MailConfig["from"] {
  const [, name = "", address = text] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const stripped = address.trim();
  if (isEmail(stripped))
    return { name: name.trim().replace(/^"(.*)"$/, "$1") || "Skein", address: stripped };
  throw new UsageError(`--mail-from must be an address such as chat@example.com, not ${text}`);
}

export const testMail = command({
  description: "sends a test email, and shows the mail server's response",
  examples: ["skein mail test --to olga@example.com"],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, description: "the data directory" },
    to: { value: "ADDRESS", required: true, description: "recipient of the test email" },
    ...mailFlags,
    json: { description: "print host and response as JSON" },
  },
  notes: "Without --smtp-url, the running server sends the email with its own settings.",
  async run({ data, to, json, ...flags }) {
    if (!isEmail(to)) throw new UsageError(`--to must be an address such as you@example.com`);
    const payload = await executeCommand(data, "testMail", { to, mail: mailConfig(flags) });
    if ("trouble" in payload) throw new CommandError(payload.trouble);
    if (json) console.log(JSON.stringify(payload));
    else
      console.log(`${payload.host} accepted the email to ${to}. Its response: ${payload.response}`);
  },
});
