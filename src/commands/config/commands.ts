// `skein config …`: writes, checks and shows what a server is told to do.
import { writeFileSync } from "node:fs";
import { ownValue } from "../../text/input/own-value.ts";
import { command, CommandError, type Flag, type Flags, settingOf } from "../flags.ts";
import { checkStartable } from "./startable.ts";
import { BACKUPS, STATE } from "../systemd/unit.ts";
import { configOf } from "./read.ts";
import { type Settings, settings } from "./settings.ts";
import { DEFAULT_FILE, kindOf, type Kind, lineOf } from "./toml.ts";

/** Secrets may stand in the file. */
const MODE = 0o600;

export const initConfig = command({
  about: "writes a settings file with a description of each setting",
  examples: ["skein config init", "skein config init --service", "skein config init --to -"],
  flags: {
    to: { value: "FILE", default: DEFAULT_FILE, about: "the file; - is the output" },
    service: { about: `for a server that systemd runs: sets data to ${STATE}` },
  },
  notes: "A file that is there stays as it is.",
  async run({ to, service }) {
    const text = settingsText({ isService: service });
    if (to === "-") return void process.stdout.write(text);
    try {
      writeFileSync(to, text, { flag: "wx", mode: MODE });
    } catch (error) {
      if ((error as { code?: string }).code !== "EEXIST") throw error;
      throw new CommandError(`${to} is there already, and stays as it is`);
    }
    console.log(`${to} is written: change it, and try it with skein config check`);
  },
});

export const checkConfig = command({
  about: "checks whether the server can start with these settings",
  examples: ["skein config check", "skein config check --config ./skein.toml"],
  flags: settings,
  async run(flags) {
    checkStartable((await configOf(flags)).config);
    console.log("The settings are good.");
  },
});

export const showConfig = command({
  about: "prints the effective settings as a settings file",
  examples: ["skein config show --sources"],
  flags: {
    ...settings,
    sources: { about: "says beside each where it was found" },
    json: { about: "prints name, value and source as JSON, a line for each" },
  },
  notes: "Secrets are not shown.",
  async run(flags, { findings }) {
    await configOf(flags);
    for (const [name, flag] of Object.entries<Flag>(settings)) {
      const value = flags[name as keyof Settings];
      const source = findings.get(name)?.called ?? "default";
      const shown = flag.secret && value !== undefined ? "***" : value;
      if (flags.json) console.log(JSON.stringify({ name: settingOf(name), value: shown, source }));
      else if (shown !== undefined) {
        const line = lineOf(name, flag, shown);
        const isSet = source !== "default" && !flag.secret;
        const beside = flags.sources ? `  # ${source}` : "";
        console.log(`${isSet ? "" : "# "}${line}${beside}`);
      }
    }
  },
});

export const configSchema = command({
  about: "prints the JSON Schema of settings files",
  examples: ["skein config schema"],
  flags: {},
  async run() {
    console.log(JSON.stringify(schemaOf(settings), null, 2));
  },
});

const HEAD = `# What Skein is told to do. Lines without # in front count; the others show what
# holds anyway. Flags and variables of the environment (SKEIN_…) count more than this file.
# Try it with: skein config check --config FILE
`;

/** The file with every setting. For a service the data directory is set, as its unit has it. */
export function settingsText({ isService }: { isService: boolean }): string {
  const parts = Object.entries<Flag>(settings).map(([name, flag]) => {
    const line = isService ? ownValue(SERVICE_LINES, name) : undefined;
    return `${wrapped(flag.about)}\n${line ?? `# ${exampleOf(name, flag)}`}\n`;
  });
  return [HEAD, ...parts].join("\n");
}

const SERVICE_LINES: Readonly<Record<string, string>> = {
  data: `data = "${STATE}"`,
  "backup-to": `# backup_to = "${BACKUPS}"`,
};

function exampleOf(name: string, flag: Flag): string {
  return flag.secret ? `${settingOf(name)}_file = "…"` : lineOf(name, flag, flag.default ?? "");
}

const LINE_LENGTH_MAX = 98;

function wrapped(about: string): string {
  const lines = [""];
  for (const word of about.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length > LINE_LENGTH_MAX) lines.push(` ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => `#${line}`).join("\n");
}

const TYPES: Record<Kind, object> = {
  switch: { type: "boolean" },
  number: { type: "integer", minimum: 0 },
  list: { type: ["array", "string"], items: { type: "string" } },
  table: { type: "object", additionalProperties: { type: "string" } },
  text: { type: "string" },
};

function schemaOf(flags: Flags): object {
  const properties: Record<string, object> = {};
  for (const [name, flag] of Object.entries(flags)) {
    const setting = settingOf(name);
    properties[setting] = { ...TYPES[kindOf(flag)], description: flag.about };
    if (flag.secret) {
      properties[`${setting}_file`] = { type: "string", description: `a file: ${flag.about}` };
    }
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "The settings of Skein",
    type: "object",
    properties,
    additionalProperties: false,
  };
}
