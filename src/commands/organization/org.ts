// `skein org …`: shows and changes an organization's settings.
import { DEFAULT_DATA } from "../../contract/config.ts";
import { requestFromProcess, executeCommand } from "../control.ts";
import { command, CommandError } from "../flags.ts";

export const data = {
  value: "DIR",
  default: DEFAULT_DATA,
  description: "the data directory",
} as const;
export const by = {
  value: "EMAIL",
  description: "the acting user (default: the first owner)",
} as const;
const json = { description: "print the result as JSON" } as const;

export const listOrganizations = command({
  description: "lists the organizations of the running server, or the one in the directory",
  examples: ["skein org list --data /var/lib/skein"],
  flags: { data, json: { description: "print one JSON object per line" } },
  async run(flags) {
    const served = await requestFromProcess(flags.data, "organizations", {}).catch(
      async (error: Error) => {
        if (!(error instanceof CommandError)) throw error;
        const { name, url, is_deactivated } = await executeCommand(
          flags.data,
          "showOrganization",
          {},
        );
        return [{ name, url, data: flags.data, is_deactivated }];
      },
    );
    for (const item of served) {
      const deactivatedLabel = item.is_deactivated ? "  (deactivated)" : "";
      const line = `${item.url}  ${item.name ?? "not set up"}  ${item.data}${deactivatedLabel}`;
      console.log(flags.json ? JSON.stringify(item) : line);
    }
  },
});

export const showOrganization = command({
  description: "shows the organization; with --json, all settings",
  examples: ["skein org show", "skein org show --json"],
  flags: { data, json },
  async run(flags) {
    const organization = await executeCommand(flags.data, "showOrganization", {});
    if (flags.json) return console.log(JSON.stringify(organization));
    const { name, url, people, bots, channels, newest_message_id, is_deactivated } = organization;
    console.log(`${name} at ${url}${is_deactivated ? ", deactivated" : ""}`);
    console.log(`${people} users, ${bots} bots, ${channels} channels`);
    console.log(`The newest message ID is ${newest_message_id}.`);
  },
});

export const setOrganization = command({
  description: "changes a setting of the organization",
  examples: [
    "skein org set --setting invite_required --value true",
    "skein org set --setting message_retention_days --value 365",
  ],
  flags: {
    data,
    by,
    setting: {
      value: "NAME",
      required: true,
      description: "name of the setting, from skein org show --json",
    },
    value: { value: "VALUE", required: true, description: "new value: text or JSON" },
    json,
  },
  notes: "Permissions are set as in the API: --value '{\"new\": 12}', with the ID of a group.",
  async run({ setting, value, ...flags }) {
    const params = { params: { [setting]: value }, by: flags.by };
    const result = await executeCommand(flags.data, "changeOrganization", params);
    const names = Object.keys(result).filter((name) => name === setting);
    if (flags.json) console.log(JSON.stringify(result));
    else
      console.log(names.length > 0 ? `Changed ${setting}.` : `${setting} already has this value.`);
  },
});

export const renameOrganization = command({
  description: "renames the organization",
  examples: ['skein org rename --name "Acme & Sons"'],
  flags: {
    data,
    by,
    name: { value: "NAME", required: true, description: "new name" },
  },
  async run({ name, ...flags }) {
    await executeCommand(flags.data, "changeOrganization", { params: { name }, by: flags.by });
    console.log(`Renamed the organization to ${name}.`);
  },
});

export const deactivateOrganization = command({
  description: "deactivates the organization: users cannot sign in, and its data is kept",
  examples: ["skein org deactivate --yes", "skein org deactivate --delete-after-days 30 --yes"],
  flags: {
    data,
    by,
    "delete-after-days": {
      value: "DAYS",
      description: "delete the data after this many days; at least 14",
    },
    yes: { description: "deactivate; without this flag, only show the effect" },
  },
  notes: "To reactivate the organization before its data is deleted, run: skein reactivate",
  async run({ yes, "delete-after-days": days, ...flags }) {
    const { name, people } = await executeCommand(flags.data, "showOrganization", {});
    const then =
      days === undefined ? "Its data is kept." : `Its data is deleted after ${days} days.`;
    if (!yes) {
      console.log(`This would deactivate ${name}, which has ${people} users. ${then}`);
      throw new CommandError("nothing was changed; to deactivate, pass --yes");
    }
    const params = days === undefined ? {} : { deletion_delay_days: days };
    await executeCommand(flags.data, "deactivateOrganization", { params, by: flags.by });
    console.log(`Deactivated ${name}. ${then}`);
  },
});
