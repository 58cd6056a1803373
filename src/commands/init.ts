// `skein init`: sets up an organization without the browser.
import { DEFAULT_DATA } from "../contract/config.ts";
import { isOrgType, ORG_TYPES } from "../features/realm/rules.ts";
import { isLanguage, LANGUAGES } from "../features/speech/speech.ts";
import { passwordFrom } from "./ask.ts";
import { carryOut } from "./control.ts";
import { command, UsageError } from "./flags.ts";

const TYPES = Object.keys(ORG_TYPES);

export const init = command({
  about: "creates an organization and its owner in a new data directory",
  examples: ['skein init --name "Acme" --owner olga@example.com --full-name "Olga Ng"'],
  flags: {
    data: { value: "DIR", default: DEFAULT_DATA, about: "the data directory" },
    name: { value: "ORG", required: true, about: "the name of the organization" },
    type: { value: "TYPE", default: "unspecified", about: "what kind of organization it is" },
    language: {
      value: "LANGUAGE",
      default: "en",
      about: `what its people are spoken to in at first: ${LANGUAGES.join(", ")}`,
    },
    owner: { value: "EMAIL", required: true, about: "the owner's e-mail address" },
    "full-name": { value: "NAME", required: true, about: "the owner's name" },
    "password-file": { value: "FILE", about: "a file whose first line is the owner's password" },
    json: { about: "prints realm_name, user_id, email and api_key as JSON" },
  },
  notes: `Without a file the password is asked for on the terminal; - is the standard input.
TYPE is one of ${TYPES.join(", ")}.
In those of education, fewer people may invite others and make channels and groups at first.`,
  async run(flags) {
    const { name, type, language } = flags;
    if (!isOrgType(type)) throw new UsageError(`--type is one of ${TYPES.join(", ")}`);
    if (!isLanguage(language)) {
      throw new UsageError(`--language is one of ${LANGUAGES.join(", ")}`);
    }
    const password = await passwordFrom(flags["password-file"]);
    const owner = { email: flags.owner, full_name: flags["full-name"], password };
    const made = await carryOut(flags.data, "init", { name, type, language, owner });
    if (flags.json) return console.log(JSON.stringify(made));
    console.log(`${made.realm_name} is set up; ${made.email} owns it.`);
    if (password === undefined) console.log("No password was given: see skein user password.");
    const where = flags.data === DEFAULT_DATA ? "" : ` --data ${flags.data}`;
    console.log(`Run the server: skein serve${where}`);
  },
});
