// Finds the value of a flag: command line, environment, credentials, files or configuration file.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ownValue } from "../../text/input/own-value.ts";
import {
  type AnyValues,
  type Environment,
  type Finding,
  type Findings,
  type Flag,
  type Flags,
  type FlagValues,
  flagValuesOf,
  settingOf,
  UsageError,
  valuesOf,
  variableOf,
} from "../flags.ts";
import { readText } from "./files.ts";
import { nearestName } from "./suggest.ts";

/** In descending order of precedence. */
interface Layers {
  readonly input: FlagValues;
  readonly environment: Environment;
  /** Values of the settings file. */
  readonly file?: Findings;
}

/** Uses only command line and environment, such as SKEIN_DATA for `--data`. */
export function parseFlags(
  flags: Flags,
  args: readonly string[],
  environment: Environment,
): AnyValues {
  return valuesOf(flags, find(flags, { input: flagValuesOf(flags, args), environment }));
}

export function find(flags: Flags, layers: Layers): Findings {
  const findings = new Map<string, Finding>();
  for (const [name, flag] of Object.entries(flags)) {
    const finding = flag.secret ? secretIn(name, layers) : plainValueIn(name, flag, layers);
    if (finding !== undefined) findings.set(name, finding);
  }
  return findings;
}

function plainValueIn(name: string, flag: Flag, { input, environment, file }: Layers) {
  const value = input.get(name);
  if (value !== undefined) return { value, label: `--${name}` };
  return inEnvironment(name, flag, environment) ?? file?.get(name);
}

/** A secret comes from a credential that only its reader can see, or from a file. */
function secretIn(name: string, { input, environment, file }: Layers): Finding | undefined {
  const flag = `${name}-file`;
  const variable = variableOf(name);
  const setting = settingOf(name);
  const secretFile = input.get(flag);
  if (secretFile !== undefined) return firstLineOf(String(secretFile), `--${flag}`);
  if (environment[variable]) return { value: environment[variable], label: variable };
  const credentials = environment["CREDENTIALS_DIRECTORY"];
  const credential = credentials && firstLineIfThere(join(credentials, setting));
  if (credential) return { value: credential, label: `the credential ${setting}` };
  const path = environment[variableOf(flag)];
  if (path) return firstLineOf(path, variableOf(flag));
  const pathInFile = file?.get(flag);
  if (pathInFile) return firstLineOf(String(pathInFile.value), pathInFile.label);
  return file?.get(name);
}

const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = {
  "1": true,
  true: true,
  on: true,
  yes: true,
  "0": false,
  false: false,
  off: false,
  no: false,
};

function inEnvironment(name: string, flag: Flag, environment: Environment): Finding | undefined {
  const variableName = variableOf(name);
  const text = environment[variableName];
  if (text === undefined || text === "") return undefined;
  if (flag.value !== undefined) return { value: text, label: variableName };
  const value = ownValue(BOOLEAN_WORDS, text.toLowerCase());
  if (value === undefined) throw new UsageError(`${variableName} must be on or off`);
  return { value, label: variableName };
}

function firstLineOf(path: string, label: string): Finding {
  try {
    const [value = ""] = readText(path).split(/\r?\n/, 1);
    if (value === "") throw new UsageError(`${label}: the first line of ${path} is empty`);
    return { value, label };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${label}: ${(error as Error).message}`);
  }
}

function firstLineIfThere(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  try {
    return readText(path).split(/\r?\n/, 1)[0];
  } catch (error) {
    throw new UsageError(`the credential ${path}: ${(error as Error).message}`);
  }
}

/** Variables that container platforms set for a service named skein. */
const KUBERNETES_VARIABLE =
  /^SKEIN_(.+_)?(SERVICE_(HOST|PORT)(_.+)?|PORT(_\d+_(TCP|UDP)(_\w+)?)?)$/;

/** Unknown variables are errors, because the operator expects them to have an effect. */
export function checkVariables(environment: Environment, knownNames: ReadonlySet<string>): void {
  for (const variable of Object.keys(environment)) {
    if (!variable.startsWith("SKEIN_") || knownNames.has(variable)) continue;
    if (KUBERNETES_VARIABLE.test(variable)) continue;
    const suggestion = nearestName(variable, [...knownNames]);
    throw new UsageError(`unknown environment variable ${variable}${suggestion}`);
  }
}

/** Replaces flag names in the message by the name under which each value was given. */
export function rewordFlags(message: string, findings: Findings): string {
  return message.replace(/--([a-z0-9-]+)/g, (flag, name) => findings.get(name)?.label ?? flag);
}
