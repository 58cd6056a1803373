/** Builds `dist/skein`: one executable, database addon inside, that needs no node_modules. */
import type { BunPlugin } from "bun";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { version } from "./package.json";

type Target = { platform: string; arch: string; libc: "glibc" | "musl" | "" };

const ROOT = import.meta.dir;
const MAIN = "src/main.ts";
/** A thread of its own begins with a file of its own. */
const WORKER = "src/pictures/worker.ts";
const FETCH = "bun install --frozen-lockfile --os=linux --cpu=x64 --cpu=arm64";
const RELEASES: Target[] = [
  { platform: "linux", arch: "x64", libc: "glibc" },
  { platform: "linux", arch: "x64", libc: "musl" },
  { platform: "linux", arch: "arm64", libc: "glibc" },
  { platform: "linux", arch: "arm64", libc: "musl" },
];

/** Writes one executable; the file appears at `outfile` whole or not at all. */
export async function buildExecutable(outfile: string, target = host(), entry = MAIN) {
  const addon = addonOf(target);
  if (!existsSync(addon)) throw new Error(`${addon} is missing; fetch it with: ${FETCH}`);

  const draft = `${outfile}.${process.pid}`;
  try {
    await Bun.build({
      entrypoints: entry === MAIN ? [join(ROOT, entry), join(ROOT, WORKER)] : [join(ROOT, entry)],
      plugins: [embedAddon(addon)],
      define: {
        SKEIN_VERSION: JSON.stringify(version),
        SKEIN_COMMIT: JSON.stringify(commit()),
        SKEIN_PICTURES: JSON.stringify(WORKER.replace("src/", "./")),
      },
      format: "esm",
      bytecode: true,
      // Elysia reads the source of handlers, so identifiers keep their names.
      minify: { whitespace: true, syntax: true },
      compile: {
        outfile: draft,
        target: `bun-${nameOf(target)}` as Bun.Build.CompileTarget,
        autoloadDotenv: false,
        autoloadBunfig: false,
      },
    });
    renameSync(draft, outfile);
  } finally {
    rmSync(draft, { force: true });
  }
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
        const embedded = `const loadNAPI = () => require(${JSON.stringify(addon)});`;
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
  const asked = Bun.spawnSync(["git", "rev-parse", "--short=12", "HEAD"], { cwd: ROOT });
  return asked.success ? asked.stdout.toString().trim() : "";
}

if (import.meta.main) {
  const all = Bun.argv.includes("--all");
  for (const target of all ? RELEASES : [host()]) {
    const name = all ? `skein-${nameOf(target)}` : "skein";
    try {
      await buildExecutable(join(ROOT, "dist", name), target);
      console.log(`dist/${name}`);
    } catch (error) {
      if (nameOf(target) === nameOf(host())) throw error;
      console.log(`skipped ${name}: ${error}`);
    }
  }
}
