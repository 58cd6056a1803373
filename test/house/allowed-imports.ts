/** Defines what each folder and area of the source may import. */
import { importsOf, type Source } from "./source.ts";

type AllowedImports = { values: string[]; types?: string[] };

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
const actions = [...access, "actions", "version", "async", ...machines];
const jobs = [...actions, "jobs", "outbound", "runner"];

/** `values` may be imported in any way, `types` only with `import type`. */
export const allowedImports: Record<string, AllowedImports> = {
  rules: { values: rules, types: ["records", "schema"] },
  wire: { values: wire, types: machinery },
  access: { values: access, types: machinery },
  actions: { values: actions, types: ["runner"] },
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
  routes: { values: [...jobs, "routes"] },
  direct: { values: [] },
  jobs: { values: jobs },
  migrations: { values: jobs },
  audiences: { values: actions },
  capabilities: { values: [...jobs, "audiences"] },
  running: { values: [...jobs, "routes", "direct", "jobs", "capabilities", "migrations"] },
  main: { values: [...jobs, "commands"] },

  async: { values: [] },
  text: { values: ["text"] },
  pictures: { values: ["pictures"] },
  assets: { values: ["assets", "pictures", "text"] },
  store: { values: ["store", "text", "async"] },
  queues: { values: [...contracts, "queues", "store", "text"], types: machinery },
  runner: { values: [...contracts, "runner", "store", "text", "async"], types: machinery },
  outbound: { values: [...contracts, "outbound", "text", "async"], types: machinery },
  server: { values: [...contracts, ...machinery, "store", "text", "async"] },
  commands: { values: [...jobs, "commands", "migrations", "running", "version"] },
  web: {
    values: ["web", "names", "async", ...rules],
    types: ["events", "shapes", "records", "actions", "endpoint"],
  },
};

/** Packages and folders that only some areas may import; nothing imports the tests. */
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

/** Code that also runs in the browser, so it must not use the server's runtime. */
const portable = ["rules", "text", "web"];

const kinds = ["rules", "wire", "access", "jobs"];
/** Other files that may import outbound and runner, as jobs do. */
const likeJobs = ["checks", "outbound"];

/** The folder of a feature's file by its name or the end of it; other names are actions. */
export function areaOf(path: string): string {
  const [, top = "", page = ""] = path.split("/");
  if (top === "contract") return page.replace(/\.ts$/, "");
  if (top === "schema") return /^records\b/.test(page) ? "records" : "schema";
  if (top !== "features") return top.replace(/\.tsx?$/, "");
  if (path.endsWith(".json")) return "rules";
  const name = path.slice(path.lastIndexOf("/") + 1, -".ts".length);
  if (likeJobs.some((ending) => name.endsWith(`-${ending}`))) return "jobs";
  return kinds.find((kind) => name === kind || name.endsWith(`-${kind}`)) ?? "actions";
}

/** Returns imports that the file's area does not allow. */
export function importsOutOfReach(file: Source, area: string) {
  const { values, types = [] } = allowedImports[area] ?? { values: [] };
  return importsOf(file).filter(({ path, isType }) => {
    if (!path.startsWith("src/")) {
      const paths = owners[path.split("/")[0] ?? ""] ?? [area];
      const isServerOnly = /^(node:|bun$|bun:)/.test(path);
      return !paths.includes(area) || (isServerOnly && portable.includes(area));
    }
    const to = areaOf(path);
    return !values.includes(to) && !(isType && types.includes(to));
  });
}
