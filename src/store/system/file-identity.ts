// Detects that a file in use was deleted or replaced.
import { statSync } from "node:fs";

/** Returns a function that checks whether the same file is still at the path. */
export function fileIdentity(path: string): () => boolean {
  const { dev, ino } = statSync(path);
  return () => {
    try {
      const now = statSync(path, { throwIfNoEntry: false });
      return now !== undefined && now.dev === dev && now.ino === ino;
    } catch (error) {
      // A temporary disk error does not mean that the file was replaced.
      return (error as { code?: string }).code !== "ENOTDIR";
    }
  };
}
