/** Says for every room and area of the house what it may import. */
import { importsOf, type Source, source } from "./source.ts";

type Arrows = { values: string[]; types?: string[] };

const contracts = ["records", "schema", "events", "errors", "names", "config"];
const machinery = ["realm", "endpoint", "queues", "server"];

const rules = ["rules", "text"];
const wire = [...rules, "wire", "records", "schema", "events", "names", "config", "store"];
const access = [...wire, "access", "errors"];
const actions = [...access, "actions", "pictures", "realm", "endpoint", "queues", "server"];
const later = [...actions, "later", "outbound", "runner"];

/** `values` may be imported in any way, `types` only with `import type`. */
export const arrows: Record<string, Arrows> = {
  rules: { values: rules, types: ["records", "schema"] },
  wire: { values: wire, types: machinery },
  access: { values: access, types: machinery },
  actions: { values: actions, types: ["runner"] },
  later: { values: later },

  records: { values: contracts, types: ["text"] },
  schema: { values: [...contracts, "store", "text"] },
  events: { values: [...contracts, "store", "text"] },
  errors: { values: [...contracts, "text"] },
  names: { values: [...contracts, "text"] },
  config: { values: [...contracts, "text"] },
  realm: { values: [...contracts, "store", "queues", "runner", "text"], types: ["endpoint"] },
  endpoint: { values: [...contracts, "realm", "store", "text"], types: machinery },
  routes: { values: later },
  jobs: { values: later },
  audiences: { values: actions },
  capabilities: { values: [...later, "audiences"] },
  running: { values: [...later, "routes", "jobs", "capabilities"] },
  main: { values: [...later, "commands"] },

  text: { values: ["text"] },
  pictures: { values: ["pictures"] },
  store: { values: ["store", "text"] },
  queues: { values: [...contracts, "queues", "store", "text"], types: machinery },
  runner: { values: [...contracts, "runner", "store", "text"], types: machinery },
  outbound: { values: [...contracts, "outbound", "text"], types: machinery },
  server: { values: [...contracts, ...machinery, "store", "text"] },
  commands: { values: [...later, "commands", "running"] },
  web: { values: ["web", ...rules], types: ["events"] },
};

/** What only some areas may know, by a package's name or a folder's: nobody knows the tests. */
const owners: Record<string, string[]> = {
  lmdb: ["store"],
  msgpackr: ["store"],
  elysia: ["server"],
  katex: ["text"],
  "highlight.js": ["text"],
  htmlparser2: ["text"],
  test: [],
  bench: [],
};

/** What the browser runs too, so it must not lean on the server's runtime. */
const portable = ["rules", "text", "web"];

const named = ["rules", "wire", "access", "later"];
const guessed = ["rules", "wire", "access"];

/** A feature's file with a name of its own is in the first room whose arrows it keeps to. */
export function areaOf(path: string): string {
  const [, top = "", , file = ""] = path.split("/");
  if (top !== "features")
    return top.replace(/^(records|schema|errors)-\w+/, "$1").replace(/\.ts$/, "");
  if (file.endsWith(".json")) return "rules";
  const name = file.replace(/\.ts$/, "");
  if (named.includes(name)) return name;
  return (guesses[path] ??= name === "actions" ? name : guess(path));
}

const guesses: Record<string, string> = {};

function guess(path: string) {
  // Files that import each other in a circle are actions.
  guesses[path] = "actions";
  const file = source(path);
  return guessed.find((room) => outOfReach(file, room).length === 0) ?? "actions";
}

/** What a file imports that its area may not. */
export function outOfReach(file: Source, area: string) {
  const { values, types = [] } = arrows[area] ?? { values: [] };
  return importsOf(file).filter(({ path, isType }) => {
    if (!path.startsWith("src/")) {
      const places = owners[path.split("/")[0] ?? ""] ?? [area];
      const isServerOnly = /^(node:|bun$|bun:)/.test(path);
      return !places.includes(area) || (isServerOnly && portable.includes(area));
    }
    const to = areaOf(path);
    return !values.includes(to) && !(isType && types.includes(to));
  });
}
