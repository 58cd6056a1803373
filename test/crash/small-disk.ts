// Disks that can be full: a small file system of its own, or a limit on the size of a file.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The ballast's part of the disk is given back to make room. */
const DISK_KIB = 3_072;
const BALLAST_KIB = 1_536;
const FILE_LIMIT_KIB = 1_024;

export interface SmallDisk extends Disposable {
  readonly directory: string;
  /** The command under which the server runs, from now on. */
  readonly under: string[];
  /** For the process, and for those after it. */
  makeRoom(pid: number): void;
}

/** Only root may make one. */
export function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    smallFileSystem()[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}

export function smallFileSystem(): SmallDisk {
  const place = mkdtempSync(join(tmpdir(), "skein-full-"));
  const mount = ["mount", "-t", "tmpfs", "-o", `size=${DISK_KIB}k`, "tmpfs", place];
  if (!Bun.spawnSync(mount).success) {
    rmSync(place, { recursive: true });
    throw new Error("nothing could be mounted");
  }
  const [directory, ballast] = [join(place, "data"), join(place, "ballast")];
  mkdirSync(directory);
  writeFileSync(ballast, Buffer.alloc(BALLAST_KIB * 1024));
  return {
    directory,
    under: [],
    makeRoom: () => rmSync(ballast),
    [Symbol.dispose]() {
      Bun.spawnSync(["umount", "-l", place]);
      rmSync(place, { recursive: true });
    },
  };
}

export function canLimit(): boolean {
  return Bun.which("prlimit") !== null && Bun.which("bash") !== null;
}

export function limitedFiles(): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), "skein-limit-"));
  const script = `trap "" XFSZ; ulimit -S -f ${FILE_LIMIT_KIB}; exec "$@"`;
  const under = ["bash", "-c", script, "-"];
  return {
    directory,
    under,
    makeRoom(pid) {
      Bun.spawnSync(["prlimit", `--pid=${pid}`, "--fsize=unlimited"]);
      under.length = 0;
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
}
