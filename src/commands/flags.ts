// The command line: what flags a command takes, and a parser that takes nothing else.

export interface Flag {
  readonly about: string;
  /** What stands for the value in the help. A flag without one is a switch. */
  readonly value?: string;
  /** The value when none is given. */
  readonly otherwise?: string;
  readonly required?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

export type Values<F extends Flags> = {
  [N in keyof F]: F[N] extends { value: string }
    ? F[N] extends { otherwise: string } | { required: true }
      ? string
      : string | undefined
    : boolean;
};

export interface Command {
  readonly about: string;
  readonly flags: Flags;
  /** Printed below the flags. */
  readonly notes?: string;
  run(values: Record<string, string | boolean | undefined>): Promise<void>;
}

/** Declares a command; `run` gets the values of its flags. */
export function command<const F extends Flags>(declared: {
  about: string;
  flags: F;
  notes?: string;
  run(values: Values<F>): Promise<void>;
}): Command {
  return { ...declared, run: declared.run as Command["run"] };
}

/** A command line that says nothing sensible; the message says what is wrong with it. */
export class UsageError extends Error {}

/** Something that stands in a command's way; the message says what. */
export class Trouble extends Error {}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A flag that is not given is looked for in the environment: `--data` as SKEIN_DATA. */
export function parseFlags(flags: Flags, args: readonly string[], environment: Environment) {
  const given = givenOf(flags, args);
  const values: Record<string, string | boolean | undefined> = {};
  for (const [name, flag] of Object.entries(flags)) {
    const value = given.get(name) ?? fromEnvironment(name, flag, environment);
    if (value === undefined && flag.required) throw new UsageError(`--${name} is missing`);
    values[name] = value ?? (flag.value === undefined ? false : flag.otherwise);
  }
  return values;
}

export function variableOf(name: string): string {
  return `SKEIN_${name.toUpperCase().replaceAll("-", "_")}`;
}

function givenOf(flags: Flags, args: readonly string[]): Map<string, string | boolean> {
  const given = new Map<string, string | boolean>();
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const [, name = "", inline] = /^--([a-z0-9-]+)(?:=([\s\S]*))?$/.exec(arg) ?? [];
    const flag = Object.hasOwn(flags, name) ? flags[name]! : undefined;
    if (!flag) throw new UsageError(`${arg} is not known here`);
    if (given.has(name)) throw new UsageError(`--${name} is given twice`);
    if (flag.value === undefined && inline !== undefined) {
      throw new UsageError(`--${name} takes no value`);
    }
    const value = flag.value === undefined ? true : (inline ?? rest.shift());
    if (value === undefined) throw new UsageError(`--${name} needs a value: ${flag.value}`);
    given.set(name, value);
  }
  return given;
}

const SWITCHED: Readonly<Record<string, boolean>> = {
  "1": true,
  true: true,
  on: true,
  yes: true,
  "0": false,
  false: false,
  off: false,
  no: false,
};

function fromEnvironment(name: string, flag: Flag, environment: Environment) {
  const variable = variableOf(name);
  const value = environment[variable];
  if (value === undefined || value === "") return undefined;
  if (flag.value !== undefined) return value;
  const isOn = SWITCHED[value.toLowerCase()];
  if (isOn === undefined) throw new UsageError(`${variable} is neither on nor off`);
  return isOn;
}
