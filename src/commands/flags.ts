// How a command is declared: the flags that it takes, and what it does with their values.
import { nearest } from "./config/nearest.ts";

export interface Flag {
  readonly about: string;
  /** The placeholder for the value in the help. A flag without one is a switch. */
  readonly value?: string;
  /** The value when none is given. */
  readonly default?: string;
  readonly required?: true;
  /** Everyone on a machine sees its command lines: they only name a file that holds it. */
  readonly secret?: true;
  /** A server that runs takes another value at a reload. */
  readonly live?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

export type Values<F extends Flags> = {
  [N in keyof F]: F[N] extends { value: string }
    ? F[N] extends { default: string } | { required: true }
      ? string
      : string | undefined
    : boolean;
};

export type AnyValues = Record<string, string | boolean | undefined>;

/** A value of a flag, and its source in words. */
export interface Finding {
  readonly value: string | boolean;
  readonly called: string;
}

/** By the names of flags; what is not there has its default. */
export type Findings = ReadonlyMap<string, Finding>;

/** The input of a command from the command line, environment and files. */
export interface Asked {
  readonly values: AnyValues;
  readonly findings: Findings;
  /** Looks anew, as files may say something else by now. */
  again(): Asked;
}

export interface Command {
  readonly about: string;
  readonly flags: Flags;
  /** Whole command lines. */
  readonly examples: readonly string[];
  /** Printed below the flags. */
  readonly notes?: string;
  /** Gives the exit code, if it is not 0. */
  run(values: AnyValues, asked: Asked): Promise<number | void>;
}

/** For every command with a data directory. */
const CONFIG: Flag = {
  value: "FILE",
  about: "the file of settings; without it /etc/skein/skein.toml, if it is there; none is no file",
};

/** Declares a command; `run` gets the values of its flags. */
export function command<const F extends Flags>(declared: {
  about: string;
  examples: readonly string[];
  flags: F;
  notes?: string;
  run(values: Values<F>, asked: Asked): Promise<number | void>;
}): Command {
  const { flags, run } = declared;
  const whole: Flags = "data" in flags ? { ...flags, config: CONFIG } : flags;
  return { ...declared, flags: whole, run: run as Command["run"] };
}

/** A command line that says nothing sensible; the message says what is wrong with it. */
export class UsageError extends Error {}

/** Something that stands in a command's way; the message says what. */
export class CommandError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

export type Given = ReadonlyMap<string, string | boolean>;

/** An empty one, as of an unset variable of the shell, would mean the working directory. */
const PATHS: ReadonlySet<string> = new Set(["DIR", "FILE", "PLACE"]);

/** Parses a command line. Unknown flags are an error. */
export function givenOf(flags: Flags, args: readonly string[]): Given {
  const given = new Map<string, string | boolean>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, name = "", inline] = /^--([a-z0-9-]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const value = flagNamed(flags, name)?.value;
    if (flags[name]?.secret) throw new UsageError(`--${name} is seen by all: use --${name}-file`);
    if (!flagNamed(flags, name)) {
      throw new UsageError(`${arg} is not known here${nearest(name, flagNames(flags), "--")}`);
    }
    if (given.has(name)) throw new UsageError(`--${name} is given twice`);
    if (value === undefined && inline !== undefined) {
      throw new UsageError(`--${name} takes no value`);
    }
    const said = value === undefined ? true : (inline ?? rest.shift());
    const isEmptyPath = said === "" && PATHS.has(value ?? "");
    if (said === undefined || isEmptyPath)
      throw new UsageError(`--${name} needs a value: ${value}`);
    if (typeof said === "string" && said.includes(UNDECODED)) {
      throw new UsageError(`the value of --${name} is not UTF-8: set the terminal to UTF-8`);
    }
    given.set(name, said);
  }
  return given;
}

/** The runtime puts it in the place of bytes that are not UTF-8. */
const UNDECODED = "\ufffd";

/** A secret is no flag: its file is. */
export function flagNames(flags: Flags): string[] {
  return Object.entries(flags).map(([name, { secret }]) => (secret ? `${name}-file` : name));
}

function flagNamed(flags: Flags, name: string): Pick<Flag, "value"> | undefined {
  if (!flagNames(flags).includes(name)) return undefined;
  return Object.hasOwn(flags, name) ? flags[name]! : { value: "FILE" };
}

/** Defaults stand for what was not found. */
export function valuesOf(flags: Flags, findings: Findings): AnyValues {
  const values: AnyValues = {};
  for (const [name, flag] of Object.entries(flags)) {
    const value = findings.get(name)?.value;
    if (value === undefined && flag.required) throw new UsageError(`--${name} is missing`);
    values[name] = value ?? (flag.value === undefined ? false : flag.default);
  }
  return values;
}

export function variableOf(name: string): string {
  return `SKEIN_${settingOf(name).toUpperCase()}`;
}

/** The name in files: `max_upload_mib` for `--max-upload-mib`. */
export function settingOf(name: string): string {
  return name.replaceAll("-", "_");
}
