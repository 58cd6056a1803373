// `skein config …`: writes, checks and shows the server's configuration.
import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { ownValue } from "../../text/input/own-value.ts";
import { command, CommandError, type Flag, type Flags, settingOf } from "../flags.ts";
import { createFile } from "./files.ts";
import { checkStartable } from "./start-checks.ts";
import { BACKUPS, STATE } from "../systemd/unit.ts";
import { dataConflict, unitFile } from "../systemd/unit-file.ts";
import { configOf } from "./read.ts";
import { type Settings, settings } from "./settings.ts";
import { DEFAULT_FILE, kindOf, type Kind, lineOf } from "./toml.ts";

/** The file may contain secrets. */
const MODE = 0o600;
/** The service must be able to open a file in it. */
const FOLDER_MODE = 0o755;

export const initConfig = command({
  description: "writes a settings file with a description of each setting",
  examples: ["skein config init", "skein config init --service", "skein config init --to -"],
  flags: {
    to: {
      value: "FILE",
      default: DEFAULT_FILE,
      description: "the file to write; - for standard output",
    },
    service: { description: `settings for a systemd service: set data to ${STATE}` },
  },
  notes: "An existing file is not overwritten.",
  async run({ to, service }) {
    const text = settingsText({ isService: service });
    if (to === "-") return void process.stdout.write(text);
    if (!createSettings(to, text)) {
      throw new CommandError(`${to} already exists and was not changed`);
    }
    console.log(`Created ${to}. Edit it, then run: skein config check`);
  },
});

/** Returns false if the file exists already. */
export function createSettings(path: string, text: string): boolean {
  if (existsSync(path)) return false;
  mkdirSync(dirname(path), { recursive: true, mode: FOLDER_MODE });
  createFile(path, text, MODE);
  return true;
}

/** The source of a data directory from the settings file of the service. */
const DATA_LABEL = `data in ${DEFAULT_FILE}`;

export const checkConfig = command({
  description: "checks whether the server can start with these settings",
  examples: ["skein config check", "skein config check --config ./skein.toml"],
  flags: settings,
  async run(flags, { findings }) {
    checkStartable((await configOf(flags)).config);
    console.log("The settings are valid.");
    const unit = findings.get("data")?.label === DATA_LABEL ? unitFile() : undefined;
    const conflict = unit && dataConflict(unit, flags.data, DEFAULT_FILE);
    if (conflict) console.error(`Warning: ${conflict.text} To fix it, ${conflict.remedy}.`);
  },
});

export const showConfig = command({
  description: "prints the effective settings as a settings file",
  examples: ["skein config show --sources"],
  flags: {
    ...settings,
    sources: { description: "show the source of each setting" },
    json: { description: "print one JSON object per line, with name, value and source" },
  },
  notes: "Secrets are not shown.",
  async run(flags, { findings }) {
    await configOf(flags);
    for (const [name, flag] of Object.entries<Flag>(settings)) {
      const value = flags[name as keyof Settings];
      const source = findings.get(name)?.label ?? "default";
      const displayed = flag.secret && value !== undefined ? "***" : value;
      if (flags.json)
        console.log(JSON.stringify({ name: settingOf(name), value: displayed, source }));
      else if (displayed !== undefined) {
        const line = lineOf(name, flag, displayed);
        const isExplicit = source !== "default" && !flag.secret;
        const suffix = flags.sources ? `  # ${source}` : "";
        console.log(`${isExplicit ? "" : "# "}${line}${suffix}`);
      }
    }
  },
});

export const configSchema = command({
  description: "prints the JSON Schema of settings files",
  examples: ["skein config schema"],
  flags: {},
  async run() {
    console.log(JSON.stringify(schemaOf(settings), null, 2));
  },
});

const HEAD = `# Settings of Skein. Lines that start with # show the default or an example;
# remove the # to change one. Flags and environment variables (SKEIN_…) take precedence over
# this file. Check it with: skein config check --config FILE
`;

/** A file with every setting. For a service, it sets the data directory of the unit. */
export function settingsText({ isService }: { isService: boolean }): string {
  const parts = Object.entries<Flag>(settings).map(([name, flag]) => {
    const line = isService ? ownValue(SERVICE_LINES, name) : undefined;
    return `${wrapped(flag.description)}\n${line ?? `# ${exampleOf(name, flag)}`}\n`;
  });
  return [HEAD, ...parts].join("\n");
}

const SERVICE_LINES: Readonly<Record<string, string>> = {
  data: `# The systemd unit sets the same directory, and the server uses that of the unit. To
# change it, run systemctl edit skein, add these lines below [Service], and change it here, too:
# Environment=SKEIN_DATA=DIR
# ReadWritePaths=DIR
data = "${STATE}"`,
  "backup-to": `# backup_to = "${BACKUPS}"`,
};

function exampleOf(name: string, flag: Flag): string {
  return flag.secret ? `${settingOf(name)}_file = "…"` : lineOf(name, flag, flag.default ?? "");
}

const LINE_LENGTH_MAX = 98;

function wrapped(description: string): string {
  const lines = [""];
  for (const word of description.split(" ")) {
    const extended = `${lines.at(-1)} ${word}`;
    if (extended.length > LINE_LENGTH_MAX) lines.push(` ${word}`);
    else lines[lines.length - 1] = extended;
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
    properties[setting] = { ...TYPES[kindOf(flag)], description: flag.description };
    if (flag.secret) {
      properties[`${setting}_file`] = {
        type: "string",
        description: `a file: ${flag.description}`,
      };
    }
  }
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Settings of Skein",
    type: "object",
    properties,
    additionalProperties: false,
  };
}
