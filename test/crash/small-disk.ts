// Disks that can be full: a small file system of its own, or a file size limit.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Size of the disk; deleting the ballast file makes room again. */
const DISK_KIB = 3_072;
const BALLAST_KIB = 1_536;
const FILE_LIMIT_KIB = 1_024;

export interface SmallDisk extends Disposable {
  readonly directory: string;
  /** Command prefix that the next server processes must be started with. */
  readonly wrapper: string[];
  /** Makes room for this process and later ones. */
  makeRoom(pid: number): void;
}

/** Only root can mount a file system. */
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
  const path = mkdtempSync(join(tmpdir(), "skein-full-"));
  const mount = ["mount", "-t", "tmpfs", "-o", `size=${DISK_KIB}k`, "tmpfs", path];
  if (!Bun.spawnSync(mount).success) {
    rmSync(path, { recursive: true });
    throw new Error("nothing could be mounted");
  }
  const [directory, ballast] = [join(path, "data"), join(path, "ballast")];
  mkdirSync(directory);
  writeFileSync(ballast, Buffer.alloc(BALLAST_KIB * 1024));
  return {
    directory,
    wrapper: [],
    makeRoom: () => rmSync(ballast),
    [Symbol.dispose]() {
      Bun.spawnSync(["umount", "-l", path]);
      rmSync(path, { recursive: true });
    },
  };
}

export function canLimit(): boolean {
  return Bun.which("prlimit") !== null && Bun.which("bash") !== null;
}

export function limitedFiles(): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), "skein-limit-"));
  const script = `trap "" XFSZ; ulimit -S -f ${FILE_LIMIT_KIB}; exec "$@"`;
  const wrapper = ["bash", "-c", script, "-"];
  return {
    directory,
    wrapper,
    makeRoom(pid) {
      Bun.spawnSync(["prlimit", `--pid=${pid}`, "--fsize=unlimited"]);
      wrapper.length = 0;
    },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
}
