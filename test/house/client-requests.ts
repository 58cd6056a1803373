/** Lists the requests of the client, as called in its source. */
import { importsOf, type Source, source } from "./source.ts";

const METHOD = `"(GET|POST|PUT|PATCH|DELETE)"`;

/** `POST /messages`, as in the table of routes, except for the names in braces. */
type Line = string;

export const lineOf = (method: string, path: string): Line =>
  `${method} ${path.replace("root:/json", "").replaceAll(/\{[^}]*\}/g, "{}")}`;

/** The lines of all calls in files that the client loads, if another file uses them. */
export function requestedByViews(): Set<Line> {
  const loaded = loadedFrom("src/web/main.tsx");
  return new Set(
    [...loaded.values()].flatMap((file) => [
      ...linesWithTypes(file, loaded),
      ...requestsWithoutTypes(file),
    ]),
  );
}

/** Files imported by the first file, statically or dynamically. */
function loadedFrom(first: string): Map<string, Source> {
  const loaded = new Map<string, Source>();
  const queue = [first];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (loaded.has(path)) continue;
    const file = source(path);
    loaded.set(path, file);
    const imported = importsOf(file).filter(
      (item) => !item.isType && /^src\/web\/.*\.tsx?$/.test(item.path),
    );
    queue.push(...imported.map((item) => item.path));
  }
  return loaded;
}

/** `const fetchFiles = call<…>("GET", "/attachments", …)`, if `fetchFiles` is used elsewhere. */
function linesWithTypes(file: Source, loaded: ReadonlyMap<string, Source>): Line[] {
  const call = new RegExp(
    `\\bconst (\\w+) = call<(?:(?!call<)[^])*?>\\(\\s*${METHOD},\\s*([^,]+),`,
    "g",
  );
  return [...file.text.matchAll(call)].flatMap(([, name = "", method = "", path = ""]) => {
    const isCreated =
      isNamed(file, name) || [...loaded.values()].some((source) => importsName(source, file, name));
    return isCreated ? [lineOf(method, withoutTypes(file, path))] : [];
  });
}

const isNamed = ({ text }: Source, name: string) => {
  return [...text.matchAll(new RegExp(`\\b${name}\\b`, "g"))].length > 1;
};

function importsName(other: Source, owner: Source, name: string): boolean {
  const isFrom = importsOf(other).some(({ path, isType }) => path === owner.path && !isType);
  return isFrom && isNamed(other, name);
}

/** File uploads and polls are called directly: `sendFile("POST", "/bots", …)`. */
function requestsWithoutTypes(file: Source): Line[] {
  const requests = new RegExp(`\\b(?!call)\\w+\\((?:requestContext, )?${METHOD}, ([^\\s,)]+)`, "g");
  const requestPattern = new RegExp(`method: ${METHOD}, path: ([^\\s,]+)`, "g");
  return [...file.text.matchAll(requests), ...file.text.matchAll(requestPattern)].flatMap(
    ([, method = "", path = ""]) => {
      const text = withoutTypes(file, path);
      return text.startsWith("/") ? [lineOf(method, text)] : [];
    },
  );
}

/** A path as a string, a template, or a constant of the file. */
function withoutTypes({ text }: Source, path: string): string {
  const spelt = path.trim();
  if (/^["`]/.test(spelt)) {
    return spelt
      .slice(1, -1)
      .replaceAll(/\$\{(\w+)\}/g, (full, name: string) => constant(text, name) ?? full)
      .replaceAll("$", "");
  }
  return constant(text, spelt) ?? "";
}

function constant(text: string, name: string): string | undefined {
  const value = new RegExp(`\\bconst ${name} = (["\`][^;]*["\`]);`).exec(text)?.[1];
  return value === undefined ? undefined : withoutTypes({ text } as Source, value);
}
