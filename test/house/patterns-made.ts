/** Loads some files of src, and prints the regular expressions that they construct. */
import { join } from "node:path";
import type { Pattern } from "./patterns.ts";

const ROOT = join(import.meta.dir, "../..");

const made: Pattern[] = [];
const Own = globalThis.RegExp;
globalThis.RegExp = new Proxy(Own, { construct: (_, given) => noted(new Own(given[0], given[1])) });

function noted(pattern: RegExp): RegExp {
  const [, , caller = ""] = new Error().stack!.split("\n").slice(1);
  const at = caller.indexOf(`${ROOT}/src/`);
  if (at >= 0) {
    const path = caller.slice(at + ROOT.length + 1).replace(/:.*$/, "");
    made.push({ path, source: pattern.source, flags: pattern.flags });
  }
  return pattern;
}

for (const path of Bun.argv.slice(2)) await import(join(ROOT, path));
await Bun.write(Bun.stdout, JSON.stringify(made));
process.exit(0);
