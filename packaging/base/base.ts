/** The libraries of the container image: Debian packages, pinned by their checksums. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { membersOf } from "../ar.ts";
import { type Arch, ROOT } from "../contents.ts";
import { entriesIn, type Entry } from "../tar.ts";
import pinned from "./pinned.json";

/** Downloads are cached here. */
const CACHE = join(ROOT, "dist/base");
const MIRROR = process.env["DEBIAN_MIRROR"] ?? "https://deb.debian.org/debian";
/** The image contains only the libraries of the packages and their licenses. */
const INCLUDED_PATHS = /^(lib|lib64|usr\/lib\/[\w-]+)(\/|$)|^usr\/share\/doc\/[^/]+\/copyright$/;
const EXCLUDED_PATHS = /\/(gconv|audit)(\/|$)/;

export class BaseUnavailable extends Error {}

/** Downloads the packages that are not cached. */
export async function baseOf(arch: Arch): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const { path, sha256 } of pinned[arch]) {
    for (const entry of entriesIn(unpacked(await debOf(path, sha256)))) {
      if (INCLUDED_PATHS.test(entry.name) && !EXCLUDED_PATHS.test(entry.name)) entries.push(entry);
    }
  }
  return entries.filter(({ kind }) => kind !== "directory");
}

async function debOf(path: string, sha256: string): Promise<Uint8Array> {
  const cached = join(CACHE, basename(path));
  if (existsSync(cached)) {
    const bytes = readFileSync(cached);
    if (digestOf(bytes) === sha256) return bytes;
  }
  const url = `${MIRROR}/${path.replaceAll("+", "%2b")}`;
  const response = await fetch(url).catch((error: Error) => {
    throw new BaseUnavailable(`${url} cannot be fetched: ${error.message}`);
  });
  if (!response.ok) {
    const advice = "newer ones are pinned by: bun packaging/base/pin.ts";
    throw new BaseUnavailable(`${url} answered ${response.status}; ${advice}`);
  }
  const bytes = await response.bytes();
  if (digestOf(bytes) !== sha256) throw new Error(`${url} is not what was pinned`);
  mkdirSync(CACHE, { recursive: true });
  writeFileSync(`${cached}.part`, bytes);
  renameSync(`${cached}.part`, cached);
  return bytes;
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function unpacked(deb: Uint8Array): Uint8Array {
  const data = membersOf(deb).get("data.tar.xz");
  if (!data) throw new Error("a pinned package is packed in another way than by xz");
  if (Bun.which("xz") === null)
    throw new BaseUnavailable("xz is not installed, which unpacks the base");
  const result = Bun.spawnSync(["xz", "-dc"], { stdin: data });
  if (!result.success) throw new Error(`xz failed: ${result.stderr.toString()}`);
  return result.stdout;
}
