// Equal sources give equal executables, so that anyone can verify a release.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contentMarks } from "../src/assets/script-names.ts";
import { countOf } from "./repetitions.ts";

const ROOT = join(import.meta.dir, "..");
/** Each build has a different checkout folder, user, time zone and language. */
const CHECKOUTS = ["a", "another place/of the same sources", "b"];
const USERS = ["root", "ada", "builder"];
const ZONES = ["UTC", "Asia/Tokyo", "America/St_Johns"];
const LOCALES = ["C.UTF-8", "C", "de_DE.UTF-8"];

/** Copies the commit and the files of this checkout, including uncommitted ones. */
const COPY = `
  git clone --quiet --shared "$ROOT" "$TO"
  cd "$ROOT"
  git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$TO"
  cp -a --reflink=auto node_modules "$TO"
`;

test.skipIf(countOf("builds") === 0)(
  "builds the same executable in each checkout, for each user, zone and language",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "skein-builds-"));
    try {
      const digests: string[] = [];
      for (let offset = 0; offset < countOf("builds"); offset += 1) {
        const index = offset % ZONES.length;
        const checkout = join(folder, `${offset}`, CHECKOUTS[index]!);
        mkdirSync(join(checkout, ".."), { recursive: true });
        const copied = Bun.spawnSync(["sh", "-euc", COPY], {
          env: { ...process.env, ROOT, TO: checkout },
          stderr: "inherit",
        });
        expect(copied.exitCode).toBe(0);
        const outfile = join(folder, `place-${offset}`, `name-${offset}`);
        const source = `import { buildExecutable } from ${JSON.stringify(`${checkout}/build.ts`)};
        await buildExecutable(${JSON.stringify(outfile)});`;
        const user = {
          USER: USERS[index]!,
          LOGNAME: USERS[index]!,
          HOME: join(folder, USERS[index]!),
        };
        const build = Bun.spawn([process.execPath, "-e", source], {
          stdio: ["ignore", "inherit", "inherit"],
          // The current directory must not matter either.
          cwd: index === 1 ? folder : checkout,
          env: { ...process.env, ...user, TZ: ZONES[index]!, LC_ALL: LOCALES[index]! },
        });
        expect(await build.exited).toBe(0);
        digests.push(createHash("sha256").update(readFileSync(outfile)).digest("hex"));
        rmSync(join(folder, `${offset}`), { recursive: true });
      }
      expect(new Set(digests).size).toBe(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** Scripts that import each other, with names that end in hashes as from the bundler. */
const scripts = (main: string, view: string, late: string, text = "late") =>
  new Map([
    [`main-${main}.js`, `import "./view-${view}.js"; import("./late-${late}.js")`],
    [`view-${view}.js`, `import "./main-${main}.js"; export const view = 1`],
    [`late-${late}.js`, `export const ${text} = 1`],
  ]);

function renameFiles(texts: Map<string, string>, tool = ""): string[][] {
  const rename = contentMarks(texts, tool);
  return [...texts].map(([name, text]) => [rename(name), rename(text)]);
}

test("names scripts by their content, whatever names the bundler gave", () => {
  const first = renameFiles(scripts("aaaaaaaa", "bbbbbbbb", "cccccccc"));
  expect(renameFiles(scripts("zzzzzzzz", "11111111", "22222222"))).toEqual(first);
  expect(first[0]![0]).toMatch(/^main-[0-9a-z]{6}\.js$/);
  expect(first[1]![1]).toContain(`"./${first[0]![0]}"`);
});

test("renames a script when an import of it has changed, however far away", () => {
  const renamedNames = (text: string) =>
    renameFiles(scripts("aaaaaaaa", "bbbbbbbb", "cccccccc", text)).map(([name]) => name);
  const [before, after] = [renamedNames("late"), renamedNames("later")];
  for (const [index, name] of before.entries()) expect(after[index]).not.toBe(name);
});

test("renames every script when another minifier is used", () => {
  const texts = scripts("aaaaaaaa", "bbbbbbbb", "cccccccc");
  const [before, after] = [renameFiles(texts, "5.0"), renameFiles(texts, "5.1")];
  for (const [index, [name]] of before.entries()) expect(after[index]![0]).not.toBe(name!);
});
