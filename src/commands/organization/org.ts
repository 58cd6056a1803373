// `skein org …`: shows and changes an organization's settings.
import { DEFAULT_DATA } from "../../contract/config.ts";
import { askProcess, carryOut } from "../control.ts";
import { command, CommandError } from "../flags.ts";

export const data = { value: "DIR", default: DEFAULT_DATA, about: "the data directory" } as const;
export const by = {
  value: "EMAIL",
  about: "the acting user; by default the first owner",
} as const;
const json = { about: "prints what there is as JSON" } as const;

export const listOrganizations = command({
  about: "lists the organizations of the running server, or the one in the directory",
  examples: ["skein org list --data /var/lib/skein"],
  flags: { data, json: { about: "prints a line of JSON for each" } },
  async run(flags) {
    const served = await askProcess(flags.data, "organizations", {}).catch(async (error: Error) => {
      if (!(error instanceof CommandError)) throw error;
      const { name, url, is_deactivated } = await carryOut(flags.data, "showOrganization", {});
      return [{ name, url, data: flags.data, is_deactivated }];
    });
    for (const one of served) {
      const closed = one.is_deactivated ? "  (deactivated)" : "";
      const line = `${one.url}  ${one.name ?? "not set up"}  ${one.data}${closed}`;
      console.log(flags.json ? JSON.stringify(one) : line);
    }
  },
});

export const showOrganization = command({
  about: "shows the organization; with --json, all settings",
  examples: ["skein org show", "skein org show --json"],
  flags: { data, json },
  async run(flags) {
    const shown = await carryOut(flags.data, "showOrganization", {});
    if (flags.json) return console.log(JSON.stringify(shown));
    const { name, url, people, bots, channels, newest_message_id, is_deactivated } = shown;
    console.log(`${name} at ${url}${is_deactivated ? ", deactivated" : ""}`);
    console.log(`${people} people, ${bots} bots, ${channels} channels`);
    console.log(`The newest message has number ${newest_message_id}.`);
  },
});

export const setOrganization = command({
  about: "changes a setting of the organization, by its name in the API",
  examples: [
    "skein org set --setting invite_required --value true",
    "skein org set --setting message_retention_days --value 365",
  ],
  flags: {
    data,
    by,
    setting: { value: "NAME", required: true, about: "its name, as in skein org show --json" },
    value: { value: "VALUE", required: true, about: "a text, or JSON where it is no text" },
    json,
  },
  notes: "Who may do something is said as the API says it: --value '{\"new\": 12}', with a group.",
  async run({ setting, value, ...flags }) {
    const asked = { params: { [setting]: value }, by: flags.by };
    const changed = await carryOut(flags.data, "changeOrganization", asked);
    const names = Object.keys(changed).filter((name) => name === setting);
    if (flags.json) console.log(JSON.stringify(changed));
    else console.log(names.length > 0 ? `${setting} is changed.` : `${setting} was so already.`);
  },
});

export const renameOrganization = command({
  about: "renames the organization",
  examples: ['skein org rename --name "Acme & Sons"'],
  flags: {
    data,
    by,
    name: { value: "NAME", required: true, about: "what it is called from now on" },
  },
  async run({ name, ...flags }) {
    await carryOut(flags.data, "changeOrganization", { params: { name }, by: flags.by });
    console.log(`The organization is called ${name} now.`);
  },
});

export const deactivateOrganization = command({
  about: "deactivates the organization: nobody can sign in, and its data is kept",
  examples: ["skein org deactivate --yes", "skein org deactivate --delete-after-days 30 --yes"],
  flags: {
    data,
    by,
    "delete-after-days": { value: "DAYS", about: "has its data deleted then; 14 or more" },
    yes: { about: "does it; without it, only says what would be" },
  },
  notes: "skein reactivate opens it again, until its data is deleted.",
  async run({ yes, "delete-after-days": days, ...flags }) {
    const { name, people } = await carryOut(flags.data, "showOrganization", {});
    const then = days === undefined ? "Its data stays." : `Its data is deleted after ${days} days.`;
    if (!yes) {
      console.log(`${name} would be closed to its ${people} people. ${then}`);
      throw new CommandError("nothing was changed; --yes does it");
    }
    const params = days === undefined ? {} : { deletion_delay_days: days };
    await carryOut(flags.data, "deactivateOrganization", { params, by: flags.by });
    console.log(`${name} is closed. ${then}`);
  },
});
