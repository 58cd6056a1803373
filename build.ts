/** Builds `dist/skein`: one executable, client and database addon inside, without node_modules. */
import type { BunPlugin } from "bun";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { version } from "./package.json";
import { isMended } from "./packaging/addon.ts";
import { buildClient } from "./src/assets/build.ts";
import { checkBudgets, sizesOf } from "./src/assets/budgets.ts";
import { embeddedClient } from "./src/assets/embed.ts";

export type Target = { platform: string; arch: string; libc: "glibc" | "musl" | "" };

const ROOT = import.meta.dir;
const MAIN = "src/main.ts";
/** A thread of its own begins with a file of its own. */
const WORKERS = {
  SKEIN_PICTURES: "src/pictures/worker.ts",
  SKEIN_BACKUPS: "src/features/backup/work/worker.ts",
};
const LOADER = join(ROOT, "src/commands/native.ts");
const FETCH = "bun install --frozen-lockfile --os=linux --cpu=x64 --cpu=arm64";
const MEND = "bun packaging/addon.ts";
const RELEASES: Target[] = [
  { platform: "linux", arch: "x64", libc: "glibc" },
  { platform: "linux", arch: "x64", libc: "musl" },
  { platform: "linux", arch: "arm64", libc: "glibc" },
  { platform: "linux", arch: "arm64", libc: "musl" },
];

export interface Built {
  readonly path: string;
  readonly target: Target;
  /** The sources that went in, below the root. */
  readonly sources: readonly string[];
}

/** Those of a release; says which are left out as this machine lacks something for them. */
export async function buildAll(folder: string): Promise<Built[]> {
  const built: Built[] = [];
  for (const target of RELEASES) {
    const name = `skein-${nameOf(target)}`;
    const path = join(folder, name);
    try {
      built.push({ path, target, sources: await buildExecutable(path, target) });
      console.log(name);
    } catch (error) {
      if (nameOf(target) === nameOf(host())) throw error;
      console.log(`skipped ${name}: ${error}`);
    }
  }
  return built;
}

/**
 * Writes one executable; the file appears at `outfile` whole or not at all. Gives the sources that
 * went in.
 */
export async function buildExecutable(
  outfile: string,
  target = host(),
  entry = MAIN,
): Promise<string[]> {
  const addon = addonOf(target);
  if (!existsSync(addon)) throw new Error(`${addon} is missing; fetch it with: ${FETCH}`);
  if (!isMended(addon)) throw new Error(`${addon} is as it came; mend it with: ${MEND}`);

  // The name of the draft stands in the executable: the same at each build, in a place of its own.
  mkdirSync(dirname(outfile), { recursive: true });
  const location = mkdtempSync(`${resolve(outfile)}.`);
  // The bundler names chunks by paths relative to the working directory.
  const directory = process.cwd();
  process.chdir(ROOT);
  const draft = join(location, "skein");
  const packed = join(location, "client");
  try {
    const inputs = new Set<string>();
    const workers = Object.values(WORKERS);
    const client = await embedClient(packed, inputs);
    const { metafile } = await Bun.build({
      metafile: true,
      entrypoints: [entry, ...(entry === MAIN ? workers : [])].map((path) => join(ROOT, path)),
      plugins: [embedAddon(addon), client],
      define: {
        SKEIN_VERSION: JSON.stringify(version),
        SKEIN_COMMIT: JSON.stringify(commit()),
        SKEIN_TARGET: JSON.stringify(nameOf(target)),
        SKEIN_UPDATE_KEYS: JSON.stringify(process.env["BUILD_UPDATE_KEYS"] ?? ""),
        ...Object.fromEntries(Object.entries(WORKERS).map(placed)),
      },
      format: "esm",
      bytecode: true,
      // Code that is imported on demand stays out of the start, and so do the modules of the runtime
      // that only it uses.
      splitting: true,
      // Elysia reads the source of handlers, so identifiers keep their names.
      minify: { whitespace: true, syntax: true },
      compile: {
        outfile: draft,
        target: `bun-${nameOf(target)}` as Bun.Build.CompileTarget,
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
    });
    renameSync(draft, resolve(directory, outfile));
    const own = Object.keys(metafile!.inputs);
    return [...new Set([...own, ...inputs])].map((path) => relative(ROOT, resolve(path))).sort();
  } finally {
    process.chdir(directory);
    rmSync(location, { recursive: true, force: true });
  }
}

/** As the code names it where all of it is in one file. */
function placed([name, path]: [string, string]): [string, string] {
  return [name, JSON.stringify(path.replace("src/", "./"))];
}

/** The executable's page for where the client comes from. Too large a client is no client. */
async function embedClient(folder: string, inputs: Set<string>): Promise<BunPlugin> {
  const files = await buildClient({ minify: true, inputs });
  checkBudgets(sizesOf(files));
  const contents = await embeddedClient(files, folder);
  return {
    name: "embed-client",
    setup(build) {
      build.onLoad({ filter: /[\\/]assets[\\/]from-source\.ts$/ }, () => ({
        loader: "ts",
        contents,
      }));
    },
  };
}

/** Addons are looked for in node_modules: lmdb gets its own embedded, msgpackr does without. */
function embedAddon(addon: string): BunPlugin {
  const lookup = "import loadNAPI from 'node-gyp-build-optional-packages';";
  return {
    name: "embed-addon",
    setup(build) {
      build.onLoad({ filter: /[\\/]lmdb[\\/]native\.js$/ }, async ({ path }) => {
        const source = await Bun.file(path).text();
        if (!source.includes(lookup))
          throw new Error(`${path} no longer loads its addon as expected`);
        const [from, embeddable] = [LOADER, addon].map((file) => JSON.stringify(file));
        const embedded = `import { loadAddon } from ${from};
          const loadNAPI = () => loadAddon(() => require(${embeddable}));`;
        return { loader: "js", contents: source.replace(lookup, () => embedded) };
      });
      // It prints errors that it also rejects with, in the middle of our own log.
      build.onLoad({ filter: /[\\/]lmdb[\\/]write\.js$/ }, async ({ path }) => {
        const source = await Bun.file(path).text();
        return { loader: "js", contents: source.replaceAll("console.error(error);", "") };
      });
      build.onLoad({ filter: /[\\/]msgpackr-extract[\\/]index\.js$/ }, () => {
        return { loader: "js", contents: "module.exports = undefined;" };
      });
    },
  };
}

function addonOf({ platform, arch, libc }: Target) {
  const file = libc === "" ? "node.napi.node" : `node.napi.${libc}.node`;
  return join(ROOT, "node_modules/@lmdb", `lmdb-${platform}-${arch}`, file);
}

function nameOf({ platform, arch, libc }: Target) {
  return libc === "musl" ? `${platform}-${arch}-musl` : `${platform}-${arch}`;
}

function host(): Target {
  const { platform, arch } = process;
  if (platform !== "linux") return { platform, arch, libc: "" };
  return { platform, arch, libc: existsSync("/etc/alpine-release") ? "musl" : "glibc" };
}

function commit() {
  if (Bun.which("git") === null) return "";
  const result = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], { cwd: ROOT });
  return result.success ? result.stdout.toString().trim() : "";
}

if (import.meta.main) {
  const folder = join(ROOT, "dist");
  if (Bun.argv.includes("--all")) await buildAll(folder);
  else await buildExecutable(join(folder, "skein"));
}
