// Prints the usage of commands.
import { settings } from "./config/settings.ts";
import { type Command, type Flag, type Flags, variableOf } from "./flags.ts";

const WIDTH = 24;

export function overview(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, { description }]) =>
    row(`skein ${name}`, description),
  );
  return [
    "Skein is a team-chat server in one executable.",
    "",
    ...rows,
    row("skein help", "shows this list; for the flags of a command: skein help COMMAND"),
    "",
    "Each flag can also be set as an environment variable: --data as SKEIN_DATA, and so on.",
    "",
  ].join("\n");
}

export function helpOf(
  name: string,
  { description, examples, flags: declared, notes }: Command,
): string {
  const { own, shared } = splitFlags(declared);
  const flagLines = Object.entries(asCommandLineFlags(own)).map(([flag, spec]) =>
    spec.required ? flagUsage(flag, spec) : `[${flagUsage(flag, spec)}]`,
  );
  const settingsLabel = shared === undefined ? [] : ["[settings]"];
  return [
    `Usage: skein ${[name, ...flagLines, ...settingsLabel].join(" ")}`,
    "",
    sentence(description),
    ...flagRows("Flags:", own),
    ...flagRows("Settings:", shared ?? {}),
    ...(notes === undefined ? [] : ["", notes]),
    "",
    "Examples:",
    "",
    ...examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

/** Flags of the command itself, and the settings of the server if the command takes all of them. */
function splitFlags(flags: Flags): { own: Flags; shared?: Flags } {
  const isShared = (name: string) => name !== "data" && Object.hasOwn(settings, name);
  if (!Object.keys(settings).every((name) => Object.hasOwn(flags, name))) return { own: flags };
  const [own, shared] = [false, true].map((sharedFlag) =>
    Object.fromEntries(Object.entries(flags).filter(([name]) => isShared(name) === sharedFlag)),
  );
  return { own: own!, shared: shared! };
}

function flagRows(title: string, flags: Flags): string[] {
  const rows = Object.entries(asCommandLineFlags(flags)).map(([flag, spec]) =>
    row(flagUsage(flag, spec), flagText(flag, spec)),
  );
  return rows.length === 0 ? [] : ["", title, ...rows];
}

/** Secrets are passed in files on the command line. */
export function asCommandLineFlags(flags: Flags): Flags {
  const rows = Object.entries(flags).map(([name, flag]): [string, Flag] => {
    if (!flag.secret) return [name, flag];
    const isUnset = `if ${variableOf(name)} is not set`;
    const description = `file whose first line is ${flag.description}, ${isUnset}`;
    return [`${name}-file`, { value: "FILE", description }];
  });
  return Object.fromEntries(rows);
}

export function flagUsage(name: string, { value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

export function flagText(name: string, { description, default: defaultValue }: Flag): string {
  const standard = defaultValue ? ` (default: ${defaultValue})` : "";
  return `${description}${standard} [${variableOf(name)}]`;
}

function row(label: string, text: string): string {
  return `  ${label.padEnd(WIDTH)}  ${text}`;
}

export function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
