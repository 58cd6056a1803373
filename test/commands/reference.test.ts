// The manual page and shell completions, generated from the table of commands.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { skein } from "./skein.ts";

let folder: string;
let page: string;
const scripts: Record<string, string> = {};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-reference-"));
  page = (await skein(["man"])).out;
  writeFileSync(join(folder, "skein.1"), page);
  for (const shell of ["bash", "zsh", "fish"]) {
    const file = join(folder, shell);
    writeFileSync(file, (await skein(["completion", "--shell", shell])).out);
    scripts[shell] = file;
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...command: string[]) {
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, { stderr: "pipe" });
  return { out: stdout.toString(), err: stderr.toString(), code: exitCode };
}

interface Part {
  name: string;
  flags: string[];
  examples: string[];
}

function parts(): Part[] {
  const plain = page.replaceAll("\\-", "-");
  const [, commands = ""] = /^\.SH COMMANDS\n([^]*?)^\.SH/m.exec(plain) ?? [];
  return commands
    .split(/^\.SS skein /m)
    .slice(1)
    .map((text) => ({
      name: text.slice(0, text.indexOf("\n")),
      flags: [...text.matchAll(/^\.B (--[\w-]+)/gm)].map(([, flag]) => flag!),
      examples: /^\.nf\n([^]*?)^\.fi/m.exec(text)?.[1]!.trim().split("\n") ?? [],
    }));
}

test("the page has every command, each flag once, and valid examples", async () => {
  const overview = (await skein(["help"])).out;
  const listedCommands = [...overview.matchAll(/^  skein ([a-z0-9-]+( [a-z0-9-]+)?)  /gm)];
  const received = parts();
  expect([...received.map(({ name }) => name), "help"]).toEqual(
    listedCommands.map(([, name]) => name!),
  );
  for (const { name, flags, examples } of received) {
    expect([name, new Set(flags).size]).toEqual([name, flags.length]);
    expect([name, examples.length > 0]).toEqual([name, true]);
    for (const example of examples) {
      expect(example).toMatch(new RegExp(`^(sudo )?skein ${name}( |$)`));
      const unexpected = example.match(/--[\w-]+/g)?.filter((flag) => !flags.includes(flag)) ?? [];
      expect([example, unexpected]).toEqual([example, []]);
    }
  }
});

test.each([
  ["groff", ["-man", "-ww", "-z"]],
  ["mandoc", ["-T", "lint", "-W", "warning"]],
] as const)("%s finds nothing amiss in the page", (program, args) => {
  if (Bun.which(program) === null) return console.log(`skipped: ${program} is not installed`);
  const result = run(program, ...args, join(folder, "skein.1"));
  const lines = `${result.out}${result.err}`.trim().split("\n");
  // Ignores the missing date, since the manual page states a version instead.
  expect(lines.filter((line) => line !== "" && !line.includes("missing date"))).toEqual([]);
});

const REQUEST: readonly (readonly [line: string, proposed: readonly string[]])[] = [
  ["skein backup ", ["run", "list", "verify", "prune"]],
  ["skein rea", ["reactivate"]],
  ["skein service p", ["print"]],
  ["skein health --js", ["--json"]],
];

test("bash completes commands and flags, and files where one is wanted", () => {
  const ask = `source ${scripts["bash"]}; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _skein
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const read = (line: string) => run("bash", "-c", ask, "-", ...line.split(" ")).out.trim();
  for (const [line, proposed] of REQUEST) expect(read(line).split("\n")).toEqual([...proposed]);
  expect(read(`skein serve --config ${folder}/ba`)).toBe(`${folder}/bash`);
  expect(read("skein user create --role m")).toBe("");
});

test.skipIf(Bun.which("fish") === null)("fish completes commands and flags", () => {
  for (const [line, proposed] of REQUEST) {
    const result = run("fish", "-c", `source ${scripts["fish"]}; complete -C "${line}"`);
    const names = result.out.trim().split("\n");
    expect(names.map((name) => name.split("\t")[0]!).toSorted()).toEqual([...proposed].toSorted());
  }
});

/** Replaces completion functions of zsh that need a terminal. */
const ZSH = `function compdef() {}; function _describe() { print -l -- $items }
  function _arguments() { shift 2; print -l -- $@ }
  source $1; shift; words=("$@"); CURRENT=$#; _skein`;

test.skipIf(Bun.which("zsh") === null)("zsh is given commands and flags to choose from", () => {
  for (const [line, proposed] of REQUEST) {
    const result = run("zsh", "-fc", ZSH, "-", scripts["zsh"]!, ...line.split(" "));
    expect(result.err).toBe("");
    const names = result.out.trim().split("\n");
    const plainNames = names.map((name) => name.replace(/[:[].*/, ""));
    expect(proposed.filter((name) => !plainNames.includes(name))).toEqual([]);
  }
});
