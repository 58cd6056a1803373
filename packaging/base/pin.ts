/** Pins the newest Debian packages of the container image, from Debian's signed lists. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Arch, ARCHITECTURES } from "../contents.ts";

const PACKAGES = ["libc6", "libgcc-s1", "libstdc++6"];
const SUITE = "bookworm";
const KEYS = "/usr/share/keyrings/debian-archive-keyring.gpg";
const MIRROR = "https://deb.debian.org/debian";

const rows = Object.keys(ARCHITECTURES).map((arch) => [arch, pinsOf(arch as Arch)]);
const pinned = `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`;
writeFileSync(join(import.meta.dir, "pinned.json"), pinned);

/** Runs apt in a separate directory, independent of the machine's configuration. */
function pinsOf(arch: Arch) {
  const root = mkdtempSync(join(tmpdir(), "skein-pins-"));
  try {
    for (const folder of ["lists/partial", "archives/partial", "parts"]) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    writeFileSync(join(root, "status"), "");
    writeFileSync(join(root, "list"), `deb [signed-by=${KEYS}] ${MIRROR} ${SUITE} main\n`);
    const settings = {
      "APT::Architecture": ARCHITECTURES[arch],
      "APT::Architectures": ARCHITECTURES[arch],
      "Dir::State::lists": join(root, "lists"),
      "Dir::State::status": join(root, "status"),
      "Dir::Cache::archives": join(root, "archives"),
      "Dir::Cache::pkgcache": "",
      "Dir::Cache::srcpkgcache": "",
      "Dir::Etc::sourcelist": join(root, "list"),
      "Dir::Etc::sourceparts": join(root, "parts"),
      "APT::Sandbox::User": "",
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
    apt(...flags, "update");
    const received = apt(...flags, "download", "--print-uris", ...PACKAGES);
    return [...received.matchAll(/^'\S+?\/(pool\/\S+)' \S+ \d+ SHA256:(\w+)$/gm)].map(
      ([, path = "", sha256 = ""]) => ({ path: decodeURIComponent(path), sha256 }),
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function apt(...args: string[]): string {
  const result = Bun.spawnSync(["apt-get", ...args]);
  if (!result.success) throw new Error(`apt-get failed: ${result.stderr.toString()}`);
  return result.stdout.toString();
}
