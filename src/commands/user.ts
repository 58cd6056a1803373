// `skein user …`: makes accounts, lists them, and lets their people in again.
import { DEFAULT_DATA } from "../contract/config.ts";
import type { Person } from "./admin/admin-commands.ts";
import { decodedText } from "../text/input/decoded.ts";
import { bytesOf, passwordFrom } from "./ask.ts";
import { textIn } from "./config/files.ts";
import { carryOut } from "./control.ts";
import { command, CommandError, UsageError } from "./flags.ts";
import { isByLine, peopleIn, roleNamed, roleNameOf } from "./people.ts";

const data = { value: "DIR", default: DEFAULT_DATA, about: "the data directory" } as const;
const email = { value: "EMAIL", required: true, about: "the account's e-mail address" } as const;
const passwordFile = { value: "FILE", about: "a file whose first line is the password" } as const;

export const createUsers = command({
  about: "creates one or many accounts",
  examples: [
    'skein user create --email bo@example.com --full-name "Bo Li" --role moderator',
    "skein user create --from people.csv --links",
  ],
  flags: {
    data,
    email: { value: "EMAIL", about: "the new account's e-mail address" },
    "full-name": { value: "NAME", about: "the person's name" },
    role: { value: "ROLE", about: "owner, administrator, moderator, member (at first) or guest" },
    "password-file": passwordFile,
    from: { value: "FILE", about: "makes all accounts of a file, or none" },
    links: { about: "prints for each a link with which its person sets a password" },
    json: { about: "prints a line of JSON for each, with its API key" },
  },
  notes:
    "A file for --from has a JSON object on each line: email, full_name, and if wanted role and\n" +
    "password; or it is a table (CSV) whose first row names these columns. A link of --links\n" +
    "works once, for a week. An account without a password signs in with its API key only.",
  async run({ from, json, links, ...flags }) {
    const people = from === undefined ? [await personOf(flags)] : everyoneIn(from, flags);
    const made = await carryOut(flags.data, "createUsers", { people, links });
    for (const account of made) {
      if (json) console.log(JSON.stringify(account));
      else if ("link" in account) console.log(`${account.email}  ${account.link}`);
      else console.log(`${account.email} is account ${account.user_id}`);
    }
  },
});

interface OneFlags {
  email: string | undefined;
  "full-name": string | undefined;
  role: string | undefined;
  "password-file": string | undefined;
}

function everyoneIn(file: string, flags: OneFlags): Person[] {
  const { email, role, "full-name": name, "password-file": password } = flags;
  if ([email, name, role, password].some((flag) => flag !== undefined)) {
    throw new UsageError("--from goes without flags for a single account");
  }
  const bytes = bytesOf(file);
  if (decodedText(bytes) !== undefined || isByLine(bytes)) return peopleIn(textIn(bytes, file));
  const people = peopleIn(new TextDecoder("windows-1252").decode(bytes));
  console.error(
    `${file} is not UTF-8: it is read as Windows-1252. Check the names, or save it as UTF-8.`,
  );
  return people;
}

async function personOf(flags: OneFlags): Promise<Person> {
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
  about: "lists the accounts",
  examples: ["skein user list", "skein user list --json"],
  flags: { data, json: { about: "prints a line of JSON for each" } },
  async run(flags) {
    for (const account of await carryOut(flags.data, "listUsers", {})) {
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
  about: "creates an API key for an account",
  examples: ["skein user key --email bo@example.com"],
  flags: { data, email, json: { about: "prints user_id, email and api_key as JSON" } },
  async run(flags) {
    const made = await carryOut(flags.data, "makeKey", { email: flags.email });
    console.log(flags.json ? JSON.stringify(made) : made.api_key);
  },
});

export const setPassword = command({
  about: "sets the password of an account",
  examples: ["skein user password --email bo@example.com"],
  flags: {
    data,
    email,
    "password-file": passwordFile,
    json: { about: "prints user_id and email as JSON" },
  },
  notes: "Without a file the password is asked for on the terminal; - is the standard input.",
  async run(flags) {
    const password = await passwordFrom(flags["password-file"]);
    if (password === undefined)
      throw new CommandError("there is no terminal: give --password-file");
    const asked = { email: flags.email, password };
    const changed = await carryOut(flags.data, "setPassword", asked);
    if (flags.json) console.log(JSON.stringify(changed));
    else console.log(`${changed.email} has a new password`);
  },
});

export const disableTwoFactor = command({
  about: "removes the second factors of an account",
  examples: ["skein user disable-2fa --email bo@example.com"],
  flags: { data, email, json: { about: "prints user_id and email as JSON" } },
  notes: "For who has lost them all, and the recovery codes too. The password stays.",
  async run(flags) {
    const changed = await carryOut(flags.data, "disableTwoFactor", { email: flags.email });
    if (flags.json) console.log(JSON.stringify(changed));
    else console.log(`${changed.email} signs in with the password alone`);
  },
});

const RIGHTS = {
  "create-users": "can_create_users",
  "change-emails": "can_change_user_emails",
  "forge-times": "can_forge_sender",
} as const;

export const allow = command({
  about: "grants an account a special permission, or revokes it",
  examples: [
    "skein user allow --email bridge@example.com --may create-users",
    "skein user allow --email bridge@example.com --may create-users --end",
  ],
  flags: {
    data,
    email,
    may: { value: "WHAT", required: true, about: Object.keys(RIGHTS).join(", ") },
    end: { about: "ends it" },
  },
  notes:
    "create-users: make accounts over the API. change-emails: as an administrator, give people\n" +
    "other addresses, without asking those. forge-times: say when a message was sent, as a\n" +
    "program does that copies messages from elsewhere.",
  async run({ data, email, may, end }) {
    if (!Object.hasOwn(RIGHTS, may)) throw new UsageError(`there is no ${may} to be allowed`);
    const right = RIGHTS[may as keyof typeof RIGHTS];
    const changed = await carryOut(data, "allow", { email, right, allowed: !end });
    console.log(`${changed.email} may ${end ? "no more" : "now"} ${may}`);
  },
});

export const makeResetLink = command({
  about: "creates a link for setting a new password",
  examples: ["skein user reset-link --email bo@example.com"],
  flags: { data, email, json: { about: "prints user_id, email and link as JSON" } },
  notes: "The link works once, for a day. SKEIN_URL says its host where no server runs.",
  async run(flags) {
    const made = await carryOut(flags.data, "makeResetLink", { email: flags.email });
    console.log(flags.json ? JSON.stringify(made) : made.link);
  },
});
