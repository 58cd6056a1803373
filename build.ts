/** Builds `dist/skein`: one executable that contains the client and the database addon. */
import type { BunPlugin } from "bun";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { version } from "./package.json";
import { isPatched, withoutDebugData } from "./packaging/addon.ts";
import { buildClient } from "./src/assets/build.ts";
import { checkBudgets, sizesOf } from "./src/assets/budgets.ts";
import { embeddedClient } from "./src/assets/embed.ts";

export type Target = { platform: string; arch: string; libc: "glibc" | "musl" | "" };

const ROOT = import.meta.dir;
const MAIN = "src/main.ts";
/** Entry points of the worker threads. */
export const WORKERS = {
  SKEIN_PICTURES: "src/pictures/worker.ts",
  SKEIN_BACKUPS: "src/features/backup/work/worker.ts",
};
/** The functions that a start uses, recorded by `packaging/bytecode-order.ts`. */
export const BYTECODE_ORDER = join(ROOT, "packaging/bytecode.order");
/**
 * Code is compiled this many times later than usual until the command resets it. Most code of a
 * start runs once, and compiling it takes longer than interpreting it.
 */
const START_JIT_POLICY = 16;
const LOADER = join(ROOT, "src/commands/native.ts");
const FETCH = "bun install --frozen-lockfile --os=linux --cpu=x64 --cpu=arm64";
const PATCH = "bun packaging/addon.ts";
const RELEASES: Target[] = [
  { platform: "linux", arch: "x64", libc: "glibc" },
  { platform: "linux", arch: "x64", libc: "musl" },
  { platform: "linux", arch: "arm64", libc: "glibc" },
  { platform: "linux", arch: "arm64", libc: "musl" },
];

export interface BuildResult {
  readonly path: string;
  readonly target: Target;
  /** Source files in the executable, relative to the root. */
  readonly sources: readonly string[];
}

/** Builds the executables of a release, and prints which ones this machine cannot build. */
export async function buildAll(folder: string): Promise<BuildResult[]> {
  const built: BuildResult[] = [];
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
 * Builds one executable, and moves it to `outfile` when it is complete. Returns its source files.
 */
export async function buildExecutable(
  outfile: string,
  target = host(),
  entry = MAIN,
): Promise<string[]> {
  const addon = addonOf(target);
  if (!existsSync(addon)) throw new Error(`${addon} is missing. Run: ${FETCH}`);
  if (!isPatched(addon)) throw new Error(`${addon} is not patched. Run: ${PATCH}`);

  // The executable contains the name of the draft, so that is the same for each build.
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
    const embedded = reduced(addon);
    const { metafile } = await Bun.build({
      metafile: true,
      entrypoints: [entry, ...(entry === MAIN ? workers : [])].map((path) => join(ROOT, path)),
      plugins: [embedAddon(embedded), client],
      define: {
        SKEIN_VERSION: JSON.stringify(version),
        SKEIN_COMMIT: JSON.stringify(commit()),
        SKEIN_TARGET: JSON.stringify(nameOf(target)),
        SKEIN_UPDATE_KEYS: JSON.stringify(process.env["BUILD_UPDATE_KEYS"] ?? ""),
        ...Object.fromEntries(Object.entries(WORKERS).map(renamedInput)),
      },
      format: "esm",
      bytecode: true,
      // A start loads neither code that is imported on demand nor the runtime modules that only
      // this code uses.
      splitting: true,
      // Elysia reads the source of handlers, so identifiers keep their names.
      minify: { whitespace: true, syntax: true },
      compile: {
        ...(entry === MAIN && { bytecodeOrder: BYTECODE_ORDER, jitPolicy: START_JIT_POLICY }),
        outfile: draft,
        target: `bun-${nameOf(target)}` as Bun.Build.CompileTarget,
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
    });
    renameSync(draft, resolve(directory, outfile));
    const own = Object.keys(metafile!.inputs).map((path) => resolve(path));
    // The addon counts as part of its package, not as the copy without debug data.
    const sources = own.map((path) => (path === embedded ? addon : path));
    return [...new Set([...sources, ...inputs])]
      .map((path) => relative(ROOT, resolve(path)))
      .sort();
  } finally {
    process.chdir(directory);
    rmSync(location, { recursive: true, force: true });
  }
}

/** The URL of a worker in the executable. */
function renamedInput([name, path]: [string, string]): [string, string] {
  return [name, JSON.stringify(path.replace("src/", "./"))];
}

/** Embeds the client. Fails if it exceeds its budgets. */
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

/** Writes the addon that is embedded, to a path on which the executable may depend. */
function reduced(addon: string): string {
  const file = join(ROOT, "dist/addons", basename(dirname(addon)), basename(addon));
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, withoutDebugData(readFileSync(addon)));
  renameSync(draft, file);
  return file;
}

/** Embeds lmdb's addon, which is otherwise loaded from node_modules. msgpackr needs none. */
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
      // It prints errors to the log that it also rejects promises with.
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
