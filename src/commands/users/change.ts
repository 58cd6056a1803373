// `skein user role`, `rename`, `deactivate`, `reactivate` and `erase`: changes to an account.
import type { Erasure } from "../../features/accounts/erasure-report.ts";
import { ownValue } from "../../text/input/own-value.ts";
import { executeCommand } from "../control.ts";
import { command, CommandError, UsageError } from "../flags.ts";
import { by, data } from "../organization/org.ts";
import { roleNamed } from "../people.ts";

const email = {
  value: "EMAIL",
  required: true,
  description: "email address of the account",
} as const;
const json = { description: "print user_id and email as JSON" } as const;

type ChangeResult = { user_id: number; email: string };

function report({ user_id, email: address }: ChangeResult, asJson: boolean, text: string): void {
  console.log(asJson ? JSON.stringify({ user_id, email: address }) : `${address} ${text}`);
}

export const setRole = command({
  description: "changes the role of an account",
  examples: ["skein user role --email bo@example.com --role moderator"],
  flags: {
    data,
    by,
    email,
    role: {
      value: "ROLE",
      required: true,
      description: "owner, administrator, moderator, member or guest",
    },
    json,
  },
  async run(flags) {
    const role = roleNamed(flags.role);
    if (role === undefined) throw new UsageError(`there is no role ${flags.role}`);
    const user = await executeCommand(flags.data, "findUser", { email: flags.email });
    const params = { user_id: user.user_id, role };
    await executeCommand(flags.data, "changeUser", { params, by: flags.by });
    report(user, flags.json, `now has the role ${flags.role}`);
  },
});

export const renameUser = command({
  description: "changes the name of an account",
  examples: ['skein user rename --email bo@example.com --full-name "Bo Lind"'],
  flags: {
    data,
    by,
    email,
    "full-name": { value: "NAME", required: true, description: "new name of the user" },
    json,
  },
  async run({ "full-name": full_name, ...flags }) {
    const user = await executeCommand(flags.data, "findUser", { email: flags.email });
    const params = { user_id: user.user_id, full_name };
    await executeCommand(flags.data, "changeUser", { params, by: flags.by });
    report(user, flags.json, `was renamed to ${full_name}`);
  },
});

export const deactivateUser = command({
  description: "deactivates an account; its messages are kept",
  examples: ["skein user deactivate --email bo@example.com"],
  flags: { data, by, email, json },
  notes: "Ends its sessions, API keys and invitations, and deactivates its bots.",
  async run(flags) {
    const user = await executeCommand(flags.data, "findUser", { email: flags.email });
    const params = { user_id: user.user_id };
    await executeCommand(flags.data, "deactivateUser", { params, by: flags.by });
    report(user, flags.json, "was deactivated");
  },
});

export const reactivateUser = command({
  description: "reactivates an account",
  examples: ["skein user reactivate --email bo@example.com"],
  flags: { data, by, email, json },
  async run(flags) {
    const user = await executeCommand(flags.data, "findUser", { email: flags.email });
    const params = { user_id: user.user_id };
    await executeCommand(flags.data, "reactivateUser", { params, by: flags.by });
    report(user, flags.json, "was reactivated");
  },
});

export const eraseUser = command({
  description: "deactivates an account and permanently deletes its personal data",
  examples: [
    "skein user erase --email bo@example.com --yes",
    "skein user erase --email bo@example.com --messages all --yes",
  ],
  flags: {
    data,
    by,
    email,
    messages: {
      value: "WHICH",
      default: "none",
      description: "also delete the user's messages: public, private or all",
    },
    yes: { description: "erase; without this flag, only show the effect" },
    json,
  },
  notes:
    "public: messages in public channels. private: private channels and direct messages.\n" +
    "The report lists what is removed, what others keep, and why.",
  async run({ messages, yes, ...flags }) {
    const which = ownValue(CHANGED_PARTS, messages);
    if (!which)
      throw new UsageError(`--messages must be one of ${Object.keys(CHANGED_PARTS).join(", ")}`);
    const user = await executeCommand(flags.data, "findUser", { email: flags.email });
    const actions = { delete_profile: true, ...which };
    const params = { user_id: user.user_id, actions };
    if (!yes) {
      const lines = [...linesOf(await executeCommand(flags.data, "planErasure", params))].join(
        "\n",
      );
      throw new CommandError(
        `This would permanently erase ${user.email}. To erase it, pass --yes\n${lines}`,
      );
    }
    const erasure = await executeCommand(flags.data, "eraseUser", { ...params, by: flags.by });
    if (flags.json) return console.log(JSON.stringify({ ...erasure, email: user.email }));
    console.log(`${user.email} was erased`);
    for (const line of linesOf(erasure)) console.log(line);
  },
});

function* linesOf({ removed, kept: stored }: Erasure): Iterable<string> {
  for (const { what: label, count } of removed) yield `  removed  ${count}  ${label}`;
  for (const { what: label, count, why } of stored) yield `  kept     ${count}  ${label}: ${why}`;
}

const PUBLIC = { delete_public_channel_messages: true };
const PRIVATE = { delete_private_channel_messages: true, delete_direct_messages: true };
const CHANGED_PARTS: Readonly<Record<string, object>> = {
  none: {},
  public: PUBLIC,
  private: PRIVATE,
  all: { ...PUBLIC, ...PRIVATE },
};
