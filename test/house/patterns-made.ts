/** Loads some files of src, and prints the regular expressions that they construct. */
import { join } from "node:path";
import type { Pattern } from "./patterns.ts";

const ROOT = join(import.meta.dir, "../..");

const patterns: Pattern[] = [];
const Own = globalThis.RegExp;
globalThis.RegExp = new Proxy(Own, {
  construct: (_, input) => recordPattern(new Own(input[0], input[1])),
});

function recordPattern(pattern: RegExp): RegExp {
  const [, , caller = ""] = new Error().stack!.split("\n").slice(1);
  const index = caller.indexOf(`${ROOT}/src/`);
  if (index >= 0) {
    const path = caller.slice(index + ROOT.length + 1).replace(/:.*$/, "");
    patterns.push({ path, source: pattern.source, flags: pattern.flags });
  }
  return pattern;
}

for (const path of Bun.argv.slice(2)) await import(join(ROOT, path));
await Bun.write(Bun.stdout, JSON.stringify(patterns));
process.exit(0);
