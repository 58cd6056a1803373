/** Says for every room and area of the house what it may import. */
import { importsOf, type Source } from "./source.ts";

type Arrows = { values: string[]; types?: string[] };

const constants = ["roles", "policies", "units"];
const contracts = [
  ...[
    "records",
    "schema",
    "events",
    "shapes",
    "errors",
    "parameters",
    "names",
    "config",
    "version",
  ],
  ...constants,
];
const machinery = ["realm", "endpoint", "queues", "server"];

const rules = ["rules", "text", ...constants];
const wire = [
  ...rules,
  "wire",
  "records",
  "schema",
  "events",
  "shapes",
  "names",
  "config",
  "store",
];
const access = [...wire, "access", "errors"];
const machines = ["pictures", "assets", "realm", "endpoint", "queues", "server"];
const actions = [...access, "actions", "version", ...machines];
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
  parameters: { values: [] },
  version: { values: [] },
  shapes: { values: ["shapes"], types: ["errors"] },
  names: { values: [...contracts, "text"] },
  roles: { values: [] },
  policies: { values: [] },
  units: { values: [] },
  config: { values: [...contracts, "text"] },
  realm: { values: [...contracts, "store", "queues", "runner", "text"], types: ["endpoint"] },
  endpoint: { values: [...contracts, "realm", "store", "text"], types: machinery },
  routes: { values: [...later, "routes"] },
  direct: { values: [] },
  jobs: { values: later },
  audiences: { values: actions },
  capabilities: { values: [...later, "audiences"] },
  running: { values: [...later, "routes", "direct", "jobs", "capabilities"] },
  main: { values: [...later, "commands"] },

  text: { values: ["text"] },
  pictures: { values: ["pictures"] },
  assets: { values: ["assets", "pictures", "text"] },
  store: { values: ["store", "text"] },
  queues: { values: [...contracts, "queues", "store", "text"], types: machinery },
  runner: { values: [...contracts, "runner", "store", "text"], types: machinery },
  outbound: { values: [...contracts, "outbound", "text"], types: machinery },
  server: { values: [...contracts, ...machinery, "store", "text"] },
  commands: { values: [...later, "commands", "running", "version"] },
  web: {
    values: ["web", "names", ...rules],
    types: ["events", "shapes", "records", "actions", "endpoint"],
  },
};

/** What only some areas may know, by a package's name or a folder's: nobody knows the tests. */
const owners: Record<string, string[]> = {
  lmdb: ["store"],
  msgpackr: ["store"],
  elysia: ["server"],
  katex: ["text"],
  "highlight.js": ["text"],
  htmlparser2: ["text"],
  preact: ["web"],
  "@preact": ["web"],
  dompurify: ["web"],
  idb: ["web"],
  test: [],
  bench: [],
};

/** What the browser runs too, so it must not lean on the server's runtime. */
const portable = ["rules", "text", "web"];

const rooms = ["rules", "wire", "access", "later"];

/** A feature's file is in the room that its name is, or ends in; any other name is an action's. */
export function areaOf(path: string): string {
  const [, top = "", page = ""] = path.split("/");
  if (top === "contract") return page.replace(/\.ts$/, "");
  if (top === "schema") return /^records\b/.test(page) ? "records" : "schema";
  if (top !== "features") return top.replace(/\.tsx?$/, "");
  if (path.endsWith(".json")) return "rules";
  const name = path.slice(path.lastIndexOf("/") + 1, -".ts".length);
  return rooms.find((room) => name === room || name.endsWith(`-${room}`)) ?? "actions";
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
