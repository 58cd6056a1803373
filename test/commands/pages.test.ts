// Every command in README and docs/operate exists, and runs as documented.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataOf } from "../formats/fixtures.ts";
import { paths } from "../house/source.ts";
import { Commands } from "./commands.ts";
import { commandsOf } from "./page-commands.ts";
import { skein } from "./skein.ts";

/** Commands that need another machine, an authority, root, a server or a terminal. */
const COMMANDS_NOT_RUN = [
  /^skein serve\b/,
  /^skein (cert|debug|log-level|update|service|health)\b/,
  /s3:\/\/|ssh |…|\bage1/,
  /^skein (doctor|backup run|restore|user create --from|reload)\s*$/,
];

/** Expected exit codes of commands; 0 for all others. */
const CODES: Readonly<Record<string, number>> = { "skein rollback --data /var/lib/skein": 1 };
/** The exit code of these commands depends on what they find. */
const FINDING = /^skein doctor\b/;

let folder: string;
let sample: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skein-pages-"));
  sample = join(folder, "sample");
  const owner = ["--owner", "ada@example.org", "--full-name", "Ada Owner"];
  const created = await skein(["init", "--name", "Town", ...owner, "--data", sample]);
  if (created.code !== 0) throw new Error(created.err);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the page's skein commands, without commands of other programs. */
const skeinCommands = (page: string) =>
  commandsOf(page).filter((line) => line.startsWith("skein "));

const pages = ["README.md", ...paths("docs/operate/*.md"), "docs/verify.md"];

test("each command on a page exists, with its flags", async () => {
  const man = (await skein(["man"])).out.replaceAll("\\-", "-");
  const [, part = ""] = /^\.SH COMMANDS\n([^]*?)^\.SH/m.exec(man) ?? [];
  const documented = new Map(
    part
      .split(/^\.SS skein /m)
      .slice(1)
      .map((text) => {
        const flags = [...text.matchAll(/^\.B (--[\w-]+)/gm)].map(([, flag]) => flag!);
        return [text.slice(0, text.indexOf("\n")), new Set(flags)] as const;
      }),
  );
  const groups = new Set([...documented.keys()].map((name) => name.split(" ")[0]!));
  const wrong: string[] = [];
  let count = 0;
  for (const page of pages) {
    for (const line of skeinCommands(page)) {
      count++;
      const [, first = "", second = ""] = line.split(" ");
      const flags = documented.get(`${first} ${second}`) ?? documented.get(first);
      const stripped = line.split(" | ")[0]!;
      const unexpected = (stripped.match(/ --[\w-]+/g) ?? []).filter(
        (flag) => !flags?.has(flag.trim()),
      );
      if (unexpected.length > 0 || (!flags && !groups.has(first))) wrong.push(`${page}: ${line}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(60);
});

/** Returns data of an older version for pages about upgrades. */
async function dataFor(page: string): Promise<string> {
  if (page === "upgrade") return dataOf(3);
  const data = join(folder, page);
  cpSync(sample, data, { recursive: true });
  return data;
}

const RUN = ["administration", "audit", "backup", "configuration", "doctor", "upgrade"];

test.each(RUN)("the commands of %s.md work one after another", async (page) => {
  const data = await dataFor(page);
  const lines = skeinCommands(`docs/operate/${page}.md`).filter((line) => {
    return !COMMANDS_NOT_RUN.some((pattern) => pattern.test(line));
  });
  // The step between the page's two commands: starting the newer version.
  const index = lines.findIndex((line) => line.startsWith("skein rollback"));
  if (index >= 0) lines.splice(index, 0, "skein upgrade --data /var/lib/skein");
  expect(lines.length).toBeGreaterThan(2);
  const localLine = (line: string) =>
    line
      .replaceAll("/var/lib/skein", data)
      .replaceAll("/mnt/backups", join(folder, "backups"))
      .replaceAll("/etc/skein", folder);
  const args = lines.map((line) => {
    return [...localLine(line).matchAll(/"([^"]*)"|(\S+)/g)]
      .slice(1)
      .map(([, a, b]) => a ?? b ?? "");
  });
  const commands = new Commands();
  const received: unknown[] = [];
  for (const [index, line] of lines.entries()) {
    const { code, err } = await commands.run(args[index]!);
    received.push([line, FINDING.test(line) ? 0 : code, CODES[line] === undefined ? err : ""]);
  }
  await commands.stop();
  expect(received).toEqual(lines.map((line) => [line, CODES[line] ?? 0, ""]));
});

/** Pages tested in served-pages.test.ts, since they need a running server. */
const SERVED_PAGES = ["https", "insight", "service"];

test("every page with commands is tested", () => {
  const run = [...RUN, ...SERVED_PAGES].map((name) => `docs/operate/${name}.md`);
  const documented = new Set(run.flatMap(skeinCommands));
  const untestedPages = paths("docs/operate/*.md").filter((page) => !run.includes(page));
  expect(untestedPages.flatMap(skeinCommands).filter((line) => !documented.has(line))).toEqual([]);
});
