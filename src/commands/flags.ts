// Declares commands: their flags, and functions that receive the values.
import { nearestName } from "./config/suggest.ts";

export interface Flag {
  readonly description: string;
  /** The placeholder for the value in the help. A flag without one is a switch. */
  readonly value?: string;
  /** The value when none is given. */
  readonly default?: string;
  readonly required?: true;
  /**
   * The value is secret, and all users of a machine can see command lines, so the flag names a
   * file.
   */
  readonly secret?: true;
  /** A running server applies changes on reload. */
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

/** A value of a flag, with a description of its source. */
export interface Finding {
  readonly value: string | boolean;
  readonly label: string;
}

/** Values by flag. Flags that are not set are missing; their defaults apply. */
export type Findings = ReadonlyMap<string, Finding>;

/** The input of a command from the command line, environment and files. */
export interface Input {
  readonly values: AnyValues;
  readonly findings: Findings;
  /** Reads all sources again, because files may have changed. */
  reread(): Input;
}

export interface Command {
  readonly description: string;
  readonly flags: Flags;
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** Printed below the flags. */
  readonly notes?: string;
  /** The exit code if the command fails with an error; 1 if missing. */
  readonly failureExit?: number;
  /** Returns the exit code if it is not 0. */
  run(values: AnyValues, input: Input): Promise<number | void>;
}

/** The flag of every command with a data directory. */
const CONFIG: Flag = {
  value: "FILE",
  description: "the settings file, or none (default: /etc/skein/skein.toml, if it exists)",
};

/** Declares a command; `run` gets the values of its flags. */
export function command<const F extends Flags>(declared: {
  description: string;
  examples: readonly string[];
  flags: F;
  notes?: string;
  failureExit?: number;
  run(values: Values<F>, input: Input): Promise<number | void>;
}): Command {
  const { flags, run } = declared;
  const allFlags: Flags = "data" in flags ? { ...flags, config: CONFIG } : flags;
  return { ...declared, flags: allFlags, run: run as Command["run"] };
}

/** An invalid command line; the message says why. */
export class UsageError extends Error {}

/** A failure of a command; the message says why. */
export class CommandError extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

export type FlagValues = ReadonlyMap<string, string | boolean>;

/** An empty path, as from an unset shell variable, would mean the working directory. */
const PATHS: ReadonlySet<string> = new Set(["DIR", "FILE", "LOCATION"]);

/** Parses a command line. Unknown flags are an error. */
export function flagValuesOf(flags: Flags, args: readonly string[]): FlagValues {
  const input = new Map<string, string | boolean>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, name = "", inline] = /^--([a-z0-9-]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const value = flagNamed(flags, name)?.value;
    if (flags[name]?.secret)
      throw new UsageError(`--${name} would be visible to other users: use --${name}-file`);
    if (!flagNamed(flags, name)) {
      if (!arg.startsWith("-")) {
        throw new UsageError(`unexpected argument ${arg}: all values belong to a flag`);
      }
      throw new UsageError(`unknown flag ${arg}${nearestName(name, flagNames(flags), "--")}`);
    }
    if (input.has(name)) throw new UsageError(`--${name} is given twice`);
    if (value === undefined && inline !== undefined) {
      throw new UsageError(`--${name} takes no value`);
    }
    const details = value === undefined ? true : (inline ?? rest.shift());
    const isEmptyPath = details === "" && PATHS.has(value ?? "");
    if (details === undefined || isEmptyPath)
      throw new UsageError(`--${name} needs a value: ${value}`);
    if (typeof details === "string" && details.includes(REPLACEMENT_CHARACTER)) {
      throw new UsageError(`the value of --${name} is not UTF-8: set the terminal to UTF-8`);
    }
    input.set(name, details);
  }
  return input;
}

/** The runtime replaces bytes that are not valid UTF-8 with this. */
const REPLACEMENT_CHARACTER = "\ufffd";

/** Secrets have a flag for a file instead of one for the value. */
export function flagNames(flags: Flags): string[] {
  return Object.entries(flags).map(([name, { secret }]) => (secret ? `${name}-file` : name));
}

function flagNamed(flags: Flags, name: string): Pick<Flag, "value"> | undefined {
  if (!flagNames(flags).includes(name)) return undefined;
  return Object.hasOwn(flags, name) ? flags[name]! : { value: "FILE" };
}

/** Uses defaults for missing values. */
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
