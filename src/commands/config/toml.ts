// The configuration file: its valid settings, and how it is read and written.
import { existsSync, statSync } from "node:fs";
import { shellWord } from "../../store/system/system-errors.ts";
import { ownValue } from "../../text/input/own-value.ts";
import { isFields } from "../../text/untrusted-json.ts";
import {
  type Finding,
  type Findings,
  type Flag,
  type Flags,
  flagNames,
  settingOf,
  UsageError,
} from "../flags.ts";
import { settingsNotPermitted } from "../process/file-permissions.ts";
import { accountOfUnit, unitFile } from "../systemd/unit-file.ts";
import { readText } from "./files.ts";
import { nearestName } from "./suggest.ts";

export const DEFAULT_FILE = "/etc/skein/skein.toml";
/** Value of the flag for no file. */
const NO_FILE = "none";
/** Permission bits for users other than the owner. */
const OTHERS = 0o077;

export type Kind = "switch" | "number" | "list" | "table" | "text";

const KINDS: Readonly<Record<string, Kind>> = {
  "on|off": "switch",
  DAYS: "number",
  MIB: "number",
  RANGES: "list",
  "NAME,…": "list",
  "NAME=DIR,…": "table",
};

/** The type of a setting in the file. On the command line, all are text. */
export function kindOf({ value = "on|off" }: Pick<Flag, "value">): Kind {
  return ownValue(KINDS, value) ?? "text";
}

/** `path` is as the operator wrote it. A missing optional file is not reported. */
export function readSettings(settings: Flags, path: string | undefined): Findings {
  if (path === NO_FILE || (path === undefined && !existsSync(DEFAULT_FILE))) return new Map();
  const file = path ?? DEFAULT_FILE;
  return settingsIn(parsed(file), settings, file);
}

function parsed(path: string): Readonly<Record<string, unknown>> {
  try {
    return Bun.TOML.parse(readText(path)) as Record<string, unknown>;
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    if (code === "EACCES") throw settingsNotPermitted(path, error, serviceAccount(path));
    throw new UsageError(message.includes(path) ? message : `${path}: ${message}`);
  }
}

/** undefined if the file is not that of the service. */
function serviceAccount(path: string): string | undefined {
  const unit = path === DEFAULT_FILE ? unitFile() : undefined;
  return unit && accountOfUnit(unit);
}

function settingsIn(
  content: Readonly<Record<string, unknown>>,
  settings: Flags,
  path: string,
): Findings {
  const flagsBySetting = new Map(
    [...Object.keys(settings), ...flagNames(settings)].map(settingAndFlag),
  );
  const findings = new Map<string, Finding>();
  for (const [setting, value] of Object.entries(content)) {
    const name = flagsBySetting.get(setting);
    if (name === undefined) {
      throw new UsageError(
        `${path}: unknown setting ${setting}${nearestName(setting, [...flagsBySetting.keys()])}`,
      );
    }
    const flag = settings[name] ?? { value: "FILE", description: "" };
    if (flag.secret) checkMode(path, setting);
    const label = `${setting} in ${path}`;
    const text = textOf(value, kindOf(flag), label);
    // Empty values are not set, as in the environment.
    if (text === "") continue;
    const isSwitch = flag.value === undefined;
    findings.set(name, { value: isSwitch ? text === "on" : text, label });
  }
  return findings;
}

const settingAndFlag = (name: string): [string, string] => [settingOf(name), name];

function checkMode(path: string, setting: string): void {
  if ((statSync(path).mode & OTHERS) === 0) return;
  throw new UsageError(
    `${path} contains ${setting} and can be read by other users. Run: chmod 600 ${shellWord(path)}`,
  );
}

const isText = (value: unknown): value is string => typeof value === "string";

/** The value as it is written on a command line. */
function textOf(value: unknown, kind: Kind, label: string): string {
  const matchesKind = SHAPES[kind];
  const text = matchesKind.text(value);
  if (text === undefined) throw new UsageError(`${label} must be ${matchesKind.words}`);
  return text;
}

const SHAPES: Record<Kind, { words: string; text(value: unknown): string | undefined }> = {
  switch: {
    words: "true or false",
    text: (value) => (typeof value === "boolean" ? (value ? "on" : "off") : undefined),
  },
  number: {
    words: "a whole number",
    text: (value) => (Number.isSafeInteger(value) ? String(value) : undefined),
  },
  list: {
    words: 'a list such as ["10.1.0.0/16"], or a string',
    text: (value) => {
      if (isText(value)) return value;
      return Array.isArray(value) && value.every(isText) ? value.join(",") : undefined;
    },
  },
  table: {
    words: 'a table with lines such as "b.example.com" = "/srv/b"',
    text: (value) => (isTable(value) ? rowsOf(value).join(",") : undefined),
  },
  text: { words: "a string in quotes", text: (value) => (isText(value) ? value : undefined) },
};

function isTable(value: unknown): value is Record<string, string> {
  return isFields(value) && Object.values(value).every(isText);
}

const rowsOf = (table: Record<string, string>) =>
  Object.entries(table).map(([name, directory]) => `${name}=${directory}`);

/** Returns the setting as a line of the file, or as several lines for a table. */
export function lineOf(name: string, flag: Pick<Flag, "value">, value: string | boolean): string {
  const text = value === true ? "on" : String(value);
  const setting = settingOf(name);
  const items = text.split(",").flatMap((item) => item.trim() || []);
  switch (kindOf(flag)) {
    case "switch":
      return `${setting} = ${text === "on"}`;
    case "number":
      return `${setting} = ${text}`;
    case "list":
      return `${setting} = [${items.map((item) => JSON.stringify(item)).join(", ")}]`;
    case "table":
      return `${setting} = { ${items.map(pairOf).join(", ")} }`;
    case "text":
      return `${setting} = ${JSON.stringify(text)}`;
  }
}

function pairOf(row: string): string {
  const [, name = "", directory = ""] = /^([^=]*)=(.*)$/.exec(row) ?? [];
  return `${JSON.stringify(name)} = ${JSON.stringify(directory)}`;
}
