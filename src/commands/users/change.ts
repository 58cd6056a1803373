// `skein user role`, `rename`, `deactivate`, `reactivate` and `erase`: changes to an account.
import { ownValue } from "../../text/input/own-value.ts";
import { carryOut } from "../control.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import { by, data } from "../organization/org.ts";
import { roleNamed } from "../people.ts";

const email = { value: "EMAIL", required: true, about: "the account's e-mail address" } as const;
const json = { about: "prints user_id and email as JSON" } as const;

type Done = { user_id: number; email: string };

function report({ user_id, email: of }: Done, asJson: boolean, words: string): void {
  console.log(asJson ? JSON.stringify({ user_id, email: of }) : `${of} ${words}`);
}

export const setRole = command({
  about: "changes the role of an account",
  examples: ["skein user role --email bo@example.com --role moderator"],
  flags: {
    data,
    by,
    email,
    role: {
      value: "ROLE",
      required: true,
      about: "owner, administrator, moderator, member, guest",
    },
    json,
  },
  async run(flags) {
    const role = roleNamed(flags.role);
    if (role === undefined) throw new UsageError(`there is no role ${flags.role}`);
    const found = await carryOut(flags.data, "findUser", { email: flags.email });
    const params = { user_id: found.user_id, role };
    await carryOut(flags.data, "changeUser", { params, by: flags.by });
    report(found, flags.json, `is ${flags.role} now`);
  },
});

export const renameUser = command({
  about: "changes the name of an account",
  examples: ['skein user rename --email bo@example.com --full-name "Bo Lind"'],
  flags: {
    data,
    by,
    email,
    "full-name": { value: "NAME", required: true, about: "what the person is called" },
    json,
  },
  async run({ "full-name": full_name, ...flags }) {
    const found = await carryOut(flags.data, "findUser", { email: flags.email });
    const params = { user_id: found.user_id, full_name };
    await carryOut(flags.data, "changeUser", { params, by: flags.by });
    report(found, flags.json, `is called ${full_name} now`);
  },
});

export const deactivateUser = command({
  about: "deactivates an account; its messages are kept",
  examples: ["skein user deactivate --email bo@example.com"],
  flags: { data, by, email, json },
  notes: "Its sessions, keys and invitations end, and so do its bots.",
  async run(flags) {
    const found = await carryOut(flags.data, "findUser", { email: flags.email });
    const params = { user_id: found.user_id };
    await carryOut(flags.data, "deactivateUser", { params, by: flags.by });
    report(found, flags.json, "is switched off");
  },
});

export const reactivateUser = command({
  about: "reactivates an account",
  examples: ["skein user reactivate --email bo@example.com"],
  flags: { data, by, email, json },
  async run(flags) {
    const found = await carryOut(flags.data, "findUser", { email: flags.email });
    const params = { user_id: found.user_id };
    await carryOut(flags.data, "reactivateUser", { params, by: flags.by });
    report(found, flags.json, "is switched on again");
  },
});

export const eraseUser = command({
  about: "deactivates an account and permanently deletes its personal data",
  examples: [
    "skein user erase --email bo@example.com --yes",
    "skein user erase --email bo@example.com --messages all --yes",
  ],
  flags: {
    data,
    by,
    email,
    messages: { value: "WHICH", default: "none", about: "deletes them too: public, private, all" },
    yes: { about: "does it; without it, only says what would be" },
    json,
  },
  notes: "public are those in public channels, private those in private channels and direct ones.",
  async run({ messages, yes, ...flags }) {
    const which = ownValue(WHICH, messages);
    if (!which) throw new UsageError(`--messages is one of ${Object.keys(WHICH).join(", ")}`);
    const found = await carryOut(flags.data, "findUser", { email: flags.email });
    if (!yes) throw new CommandError(`${found.email} would be erased for good; --yes does it`);
    const actions = { delete_profile: true, ...which };
    const params = { user_id: found.user_id, actions };
    const asked = { ...params, by: flags.by };
    await carryOut(flags.data, "eraseUser", asked);
    report(found, flags.json, "is erased");
  },
});

const PUBLIC = { delete_public_channel_messages: true };
const PRIVATE = { delete_private_channel_messages: true, delete_direct_messages: true };
const WHICH: Readonly<Record<string, object>> = {
  none: {},
  public: PUBLIC,
  private: PRIVATE,
  all: { ...PUBLIC, ...PRIVATE },
};
