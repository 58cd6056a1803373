/** The regular expressions of src: literal ones and those constructed at run time. */
import { join } from "node:path";
import { parse } from "acorn";
import type { TSchema } from "typebox";
import { routes } from "../../src/contract/routes.ts";
import { sources } from "./source.ts";

export interface Pattern {
  /** The file that contains it. */
  readonly path: string;
  readonly source: string;
  readonly flags: string;
}

interface Node {
  readonly type: string;
  readonly regex?: { pattern: string; flags: string };
  readonly callee?: { name?: string };
}

/** Regex literals, and the files that call `RegExp`. */
export function patternLiterals(): { literals: Pattern[]; makers: Set<string> } {
  const transpiler = new Bun.Transpiler({ loader: "ts", target: "bun" });
  const literals: Pattern[] = [];
  const makers = new Set<string>();
  for (const { path, text } of sources("src/**/*.ts")) {
    const script = transpiler.transformSync(text);
    const read = (node: Node) => {
      const { regex, callee } = node;
      if (regex) literals.push({ path, source: regex.pattern, flags: regex.flags });
      if (callee?.name === "RegExp") makers.add(path);
    };
    walk(parse(script, { ecmaVersion: "latest", sourceType: "module" }), read);
  }
  return { literals, makers };
}

function walk(value: unknown, read: (node: Node) => void): void {
  if (typeof value !== "object" || value === null) return;
  if ("type" in value) read(value as Node);
  for (const inner of Object.values(value)) walk(inner, read);
}

/** Patterns that `RegExp` constructs while these files load, observed in a separate process. */
export async function patternsConstructed(paths: Iterable<string>): Promise<Pattern[]> {
  const script = join(import.meta.dir, "patterns-made.ts");
  const child = Bun.spawn([process.execPath, script, ...paths], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const created = await new Response(child.stdout).json();
  if ((await child.exited) !== 0) throw new Error("src could not be loaded");
  return created as Pattern[];
}

/** Patterns in JSON Schemas. */
export function patternsInSchemas(): Pattern[] {
  const patterns: Pattern[] = [];
  for (const { path, endpoint } of routes) {
    for (const { form } of Object.values(endpoint.params)) {
      if (form.as !== "json") continue;
      for (const source of patternsOfSchema(form.schema))
        patterns.push({ path, source, flags: "u" });
    }
  }
  return patterns;
}

function patternsOfSchema(schema: TSchema): string[] {
  const { pattern, patternProperties } = schema as Record<string, unknown>;
  const own = [...(pattern === undefined ? [] : [String(pattern)])];
  const keys = Object.keys((patternProperties ?? {}) as object);
  const inner = Object.values(schema).filter((part) => typeof part === "object" && part !== null);
  return [...own, ...keys, ...inner.flatMap((part) => patternsOfSchema(part as TSchema))];
}
