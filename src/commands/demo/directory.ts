// The temporary directory of a demo: locked while in use and deleted afterwards.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DirectoryInUse, lockDirectory } from "../../store/lock.ts";

const PREFIX = "skein-demo-";

export class DemoDirectory {
  readonly data: string;

  private constructor(
    private readonly path: string,
    private readonly releaseLock: () => void,
  ) {
    this.data = join(path, "data");
    mkdirSync(this.data);
  }

  /**
   * A demo that starts at the same moment may mistake a new, not yet locked directory for a
   * leftover.
   */
  static make(): DemoDirectory {
    for (;;) {
      const path = mkdtempSync(join(tmpdir(), PREFIX));
      const releaseLock = locked(path);
      if (releaseLock && existsSync(path)) return new DemoDirectory(path, releaseLock);
      releaseLock?.();
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
    this.releaseLock();
  }
}

/** Deletes the directories of killed demos, but none that is in use or belongs to another user. */
export function clearLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(tmpdir(), name);
    if (!isOwnDemo(path)) continue;
    const releaseLock = locked(path);
    if (!releaseLock) continue;
    rmSync(path, { recursive: true, force: true });
    releaseLock();
  }
}

function isOwnDemo(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}

/** Returns undefined if the directory is in use or was deleted. */
function locked(path: string): (() => void) | undefined {
  try {
    return lockDirectory(path);
  } catch (error) {
    const { code } = error as { code?: string };
    if (error instanceof DirectoryInUse || code === "ENOENT") return undefined;
    throw error;
  }
}
