// `skein init`: sets an organization up without the set-up page.
import { DEFAULT_DATA } from "../config.ts";
import { passwordFrom } from "./ask.ts";
import { carryOut } from "./control.ts";
import { command } from "./flags.ts";

export const init = command({
  about: "makes the organization and its owner in a new data directory",
  flags: {
    data: { value: "DIR", otherwise: DEFAULT_DATA, about: "the data directory" },
    name: { value: "ORG", required: true, about: "the name of the organization" },
    owner: { value: "EMAIL", required: true, about: "the owner's e-mail address" },
    "full-name": { value: "NAME", required: true, about: "the owner's name" },
    "password-file": { value: "FILE", about: "a file whose first line is the owner's password" },
    json: { about: "prints realm_name, user_id, email and api_key as JSON" },
  },
  notes: "Without a file the password is asked for on the terminal; - is the standard input.",
  async run(flags) {
    const password = await passwordFrom(flags["password-file"]);
    const owner = { email: flags.owner, full_name: flags["full-name"], password };
    const made = await carryOut(flags.data, "init", { name: flags.name, owner });
    if (flags.json) return console.log(JSON.stringify(made));
    console.log(`${made.realm_name} is set up; ${made.email} owns it.`);
    if (password === undefined) console.log("No password was given: see skein user password.");
    const where = flags.data === DEFAULT_DATA ? "" : ` --data ${flags.data}`;
    console.log(`Run the server: skein serve${where}`);
  },
});
