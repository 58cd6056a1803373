// `skein user …`: creates and lists accounts, and restores users' access.
import { DEFAULT_DATA } from "../contract/config.ts";
import type { Person } from "./admin/admin-commands.ts";
import { decodedText, hasByteOrderMark } from "../text/input/decode.ts";
import { bytesOf, passwordFrom } from "./read-password.ts";
import { textIn } from "./config/files.ts";
import { executeCommand } from "./control.ts";
import { command, CommandError, UsageError } from "./flags.ts";
import { isByLine, peopleIn, roleNamed, roleNameOf } from "./people.ts";

const data = { value: "DIR", default: DEFAULT_DATA, description: "the data directory" } as const;
const email = {
  value: "EMAIL",
  required: true,
  description: "email address of the account",
} as const;
const passwordFile = {
  value: "FILE",
  description: "file whose first line is the password",
} as const;

export const createUsers = command({
  description: "creates one or many accounts",
  examples: [
    'skein user create --email bo@example.com --full-name "Bo Li" --role moderator',
    "skein user create --from people.csv --links",
  ],
  flags: {
    data,
    email: { value: "EMAIL", description: "email address of the new account" },
    "full-name": { value: "NAME", description: "full name of the user" },
    role: {
      value: "ROLE",
      description: "owner, administrator, moderator, member (default) or guest",
    },
    "password-file": passwordFile,
    from: {
      value: "FILE",
      description: "create all accounts in a file; if one fails, none is created",
    },
    links: { description: "print a link for each account with which its user sets a password" },
    json: { description: "print one JSON object per account, with its API key" },
  },
  notes:
    "A file for --from has one JSON object per line (email, full_name, and optionally role and\n" +
    "password), or is a CSV table whose first row has these column names. A link of --links\n" +
    "works once, for a week. An account without a password signs in with its API key only.",
  async run({ from, json, links, ...flags }) {
    const people = from === undefined ? [await personOf(flags)] : everyoneIn(from, flags);
    const created = await executeCommand(flags.data, "createUsers", { people, links });
    for (const account of created) {
      if (json) console.log(JSON.stringify(account));
      else if ("link" in account) console.log(`${account.email}  ${account.link}`);
      else console.log(`Created account ${account.user_id}: ${account.email}`);
    }
  },
});

interface SingleUserFlags {
  email: string | undefined;
  "full-name": string | undefined;
  role: string | undefined;
  "password-file": string | undefined;
}

function everyoneIn(file: string, flags: SingleUserFlags): Person[] {
  const { email, role, "full-name": name, "password-file": password } = flags;
  if ([email, name, role, password].some((flag) => flag !== undefined)) {
    throw new UsageError("--from cannot be combined with flags for a single account");
  }
  const bytes = bytesOf(file);
  // A file with a byte order mark states its encoding, so its text is never guessed.
  const isKnown = decodedText(bytes) !== undefined || hasByteOrderMark(bytes) || isByLine(bytes);
  if (isKnown) return peopleIn(textIn(bytes, file));
  const people = peopleIn(new TextDecoder("windows-1252").decode(bytes));
  console.error(
    `${file} is not UTF-8 and was read as Windows-1252. Check the names, or save it as UTF-8.`,
  );
  return people;
}

async function personOf(flags: SingleUserFlags): Promise<Person> {
  const { email, "full-name": full_name } = flags;
  if (email === undefined) throw new UsageError("--email is missing");
  if (full_name === undefined) throw new UsageError("--full-name is missing");
  const role = roleNamed(flags.role ?? "member");
  if (role === undefined) throw new UsageError(`there is no role ${flags.role}`);
  const file = flags["password-file"];
  const password = file === undefined ? undefined : await passwordFrom(file);
  return { email, full_name, role, password };
}

export const listUsers = command({
  description: "lists the accounts",
  examples: ["skein user list", "skein user list --json"],
  flags: { data, json: { description: "print one JSON object per account" } },
  async run(flags) {
    for (const account of await executeCommand(flags.data, "listUsers", {})) {
      const { user_id, email, full_name, role, is_active, is_bot } = account;
      if (flags.json) {
        console.log(JSON.stringify(account));
        continue;
      }
      const kind = is_bot ? "bot" : roleNameOf(role);
      const state = is_active ? kind : `${kind}, deactivated`;
      console.log(`${String(user_id).padStart(6)}  ${email}  ${full_name}  (${state})`);
    }
  },
});

export const makeKey = command({
  description: "creates an API key for an account",
  examples: ["skein user key --email bo@example.com"],
  flags: { data, email, json: { description: "print user_id, email and api_key as JSON" } },
  async run(flags) {
    const created = await executeCommand(flags.data, "makeKey", { email: flags.email });
    console.log(flags.json ? JSON.stringify(created) : created.api_key);
  },
});

export const setPassword = command({
  description: "sets the password of an account",
  examples: ["skein user password --email bo@example.com"],
  flags: {
    data,
    email,
    "password-file": passwordFile,
    json: { description: "print user_id and email as JSON" },
  },
  notes: "Without a file, the password is read from the terminal; - is standard input.",
  async run(flags) {
    const password = await passwordFrom(flags["password-file"]);
    if (password === undefined) throw new CommandError("there is no terminal: use --password-file");
    const params = { email: flags.email, password };
    const result = await executeCommand(flags.data, "setPassword", params);
    if (flags.json) console.log(JSON.stringify(result));
    else console.log(`Changed the password of ${result.email}.`);
  },
});

export const disableTwoFactor = command({
  description: "removes two-factor authentication from an account",
  examples: ["skein user disable-2fa --email bo@example.com"],
  flags: { data, email, json: { description: "print user_id and email as JSON" } },
  notes: "For users who have lost their devices and recovery codes. The password is unchanged.",
  async run(flags) {
    const result = await executeCommand(flags.data, "disableTwoFactor", { email: flags.email });
    if (flags.json) console.log(JSON.stringify(result));
    else console.log(`${result.email} can now sign in with the password alone.`);
  },
});

const RIGHTS = {
  "create-users": "can_create_users",
  "change-emails": "can_change_user_emails",
  "forge-times": "can_forge_sender",
} as const;

export const allow = command({
  description: "grants an account a special permission, or revokes it",
  examples: [
    "skein user allow --email bridge@example.com --permission create-users",
    "skein user allow --email bridge@example.com --permission create-users --revoke",
  ],
  flags: {
    data,
    email,
    permission: { value: "NAME", required: true, description: Object.keys(RIGHTS).join(", ") },
    revoke: { description: "revoke the permission" },
  },
  notes:
    "create-users: create accounts through the API. change-emails: as an administrator, change\n" +
    "users' email addresses without their confirmation. forge-times: set the time of sent\n" +
    "messages, as programs that copy messages from elsewhere need.",
  async run({ data, email, permission: rightName, revoke }) {
    if (!Object.hasOwn(RIGHTS, rightName)) throw new UsageError(`unknown permission ${rightName}`);
    const right = RIGHTS[rightName as keyof typeof RIGHTS];
    const result = await executeCommand(data, "allow", { email, right, allowed: !revoke });
    console.log(`${result.email} can ${revoke ? "no longer" : "now"} ${rightName}.`);
  },
});

export const makeResetLink = command({
  description: "creates a link for setting a new password",
  examples: ["skein user reset-link --email bo@example.com"],
  flags: { data, email, json: { description: "print user_id, email and link as JSON" } },
  notes:
    "The link works once, for a day. If no server is running, set SKEIN_URL to the public URL.",
  async run(flags) {
    const created = await executeCommand(flags.data, "makeResetLink", { email: flags.email });
    console.log(flags.json ? JSON.stringify(created) : created.link);
  },
});
