// The temporary directory of a demo: locked while it is in use, and gone afterwards.
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DirectoryInUse, lockDirectory } from "../../store/lock.ts";

const PREFIX = "skein-demo-";

export class DemoDirectory {
  readonly data: string;

  private constructor(
    private readonly path: string,
    private readonly unlock: () => void,
  ) {
    this.data = join(path, "data");
    mkdirSync(this.data);
  }

  /** Another demo that starts at this moment may take a new one, not locked yet, for left over. */
  static make(): DemoDirectory {
    for (;;) {
      const path = mkdtempSync(join(tmpdir(), PREFIX));
      const unlock = locked(path);
      if (unlock && existsSync(path)) return new DemoDirectory(path, unlock);
      unlock?.();
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
    this.unlock();
  }
}

/** Takes away what demos have left that were killed; what is in use, or another's, stays. */
export function clearLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(tmpdir(), name);
    if (!isOwn(path)) continue;
    const unlock = locked(path);
    if (!unlock) continue;
    rmSync(path, { recursive: true, force: true });
    unlock();
  }
}

function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

/** undefined: it is in use, or gone by now. */
function locked(path: string): (() => void) | undefined {
  try {
    return lockDirectory(path);
  } catch (error) {
    const { code } = error as { code?: string };
    if (error instanceof DirectoryInUse || code === "ENOENT") return undefined;
    throw error;
  }
}
