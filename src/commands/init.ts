// `skein init`: sets up an organization without the browser.
import { DEFAULT_DATA } from "../contract/config.ts";
import { isOrgType, ORG_TYPES } from "../features/realm/rules.ts";
import { isLanguage, LANGUAGES } from "../features/i18n/translations.ts";
import { shellWord } from "../store/system/system-errors.ts";
import { passwordFrom } from "./read-password.ts";
import { executeCommand } from "./control.ts";
import { command, UsageError } from "./flags.ts";

const TYPES = Object.keys(ORG_TYPES);

export const init = command({
  description: "creates an organization and its owner in a new data directory",
  examples: ['skein init --name "Acme" --owner olga@example.com --full-name "Olga Ng"'],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, description: "the data directory" },
    name: { value: "ORG", required: true, description: "the name of the organization" },
    type: { value: "TYPE", default: "unspecified", description: "type of organization" },
    language: {
      value: "LANGUAGE",
      default: "en",
      description: `default language of its members: ${LANGUAGES.join(", ")}`,
    },
    owner: { value: "EMAIL", required: true, description: "the owner's email address" },
    "full-name": { value: "NAME", required: true, description: "the owner's name" },
    "password-file": {
      value: "FILE",
      description: "file whose first line is the owner's password",
    },
    json: { description: "print realm_name, user_id, email and api_key as JSON" },
  },
  notes: `Without a file, the password is read from the terminal; - is standard input.
TYPE is one of ${TYPES.join(", ")}.
In the education types, fewer members can invite users and create channels and groups at first.`,
  async run(flags) {
    const { name, type, language } = flags;
    if (!isOrgType(type)) throw new UsageError(`--type must be one of ${TYPES.join(", ")}`);
    if (!isLanguage(language)) {
      throw new UsageError(`--language must be one of ${LANGUAGES.join(", ")}`);
    }
    const password = await passwordFrom(flags["password-file"]);
    const owner = { email: flags.owner, full_name: flags["full-name"], password };
    const created = await executeCommand(flags.data, "init", { name, type, language, owner });
    if (flags.json) return console.log(JSON.stringify(created));
    console.log(`Created the organization ${created.realm_name}. Owner: ${created.email}`);
    const location = flags.data === DEFAULT_DATA ? "" : ` --data ${shellWord(flags.data)}`;
    if (password === undefined) {
      const command = `skein user password${location} --email ${shellWord(created.email)}`;
      console.log(`The owner has no password yet. To set one, run: ${command}`);
    }
    console.log(`Next: skein serve${location}`);
  },
});
