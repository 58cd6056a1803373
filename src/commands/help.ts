// Prints the usage of commands.
import { type Command, type Flag, type Flags, variableOf } from "./flags.ts";

const WIDTH = 24;

export function overview(commands: Readonly<Record<string, Command>>): string {
  const rows = Object.entries(commands).map(([name, { about }]) => row(`skein ${name}`, about));
  return [
    "Skein is a team-chat server in one executable.",
    "",
    ...rows,
    row("skein help", "says this; --help after a command says what the command takes"),
    "",
    "Each flag can also be given as an environment variable: --data as SKEIN_DATA, and so on.",
    "",
  ].join("\n");
}

export function helpOf(name: string, { about, examples, flags: declared, notes }: Command): string {
  const flags = asGiven(declared);
  const rows = Object.entries(flags).map(([flag, spec]) =>
    row(shape(flag, spec), told(flag, spec)),
  );
  const taken = Object.entries(flags).map(([flag, spec]) =>
    spec.required ? shape(flag, spec) : `[${shape(flag, spec)}]`,
  );
  return [
    `skein ${[name, ...taken].join(" ")}`,
    "",
    sentence(about),
    "",
    ...rows,
    ...(notes === undefined ? [] : ["", notes]),
    "",
    "For example:",
    "",
    ...examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

/** Secrets are passed in files on the command line. */
export function asGiven(flags: Flags): Flags {
  const rows = Object.entries(flags).map(([name, flag]): [string, Flag] => {
    if (!flag.secret) return [name, flag];
    const about = `a file whose first line is ${flag.about}, if ${variableOf(name)} is not set`;
    return [`${name}-file`, { value: "FILE", about }];
  });
  return Object.fromEntries(rows);
}

export function shape(name: string, { value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

export function told(name: string, { about, default: otherwise }: Flag): string {
  const first = otherwise ? `; without it ${otherwise}` : "";
  return `${about}${first} (${variableOf(name)})`;
}

function row(left: string, right: string): string {
  return `  ${left.padEnd(WIDTH)}  ${right}`;
}

export function sentence(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}
