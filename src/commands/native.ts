// Loads the database library, or explains what the machine lacks.
import { mkdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";

const STDERR = 2;
const PRIVATE = 0o700;

/** The executable unpacks the library to a temporary file, which the system links. */
export function loadAddon<T>(load: () => T): T {
  freeSpace(tmpdir());
  try {
    return load();
  } catch (error) {
    writeSync(STDERR, `skein: ${wordsFor((error as Error).message, tmpdir())}\n`);
    process.exit(1);
  }
}

/** The temporary directory may not exist yet, for example in a new container volume. */
function freeSpace(directory: string): void {
  try {
    mkdirSync(directory, { mode: PRIVATE });
  } catch {
    // Loading the library reports the problem with a better message.
  }
}

export function wordsFor(message: string, directory: string): string {
  const [, name] = /version `(GLIBC\w*_[\d.]+)' not found/.exec(message) ?? [];
  if (name !== undefined) {
    return `this system is too old (it lacks ${name}): use a newer one, or the musl build of Skein`;
  }
  const [before, unopened] = message.split(": cannot open shared object file", 2);
  const missingLibrary = unopened === undefined ? "" : before!.split(/[/\s]/).at(-1)!;
  if (/\.so\b/.test(missingLibrary)) {
    return `the library ${missingLibrary} is missing: install the package that contains it`;
  }
  if (missingLibrary !== "" || /failed to map segment|noexec/.test(message)) {
    const requirement = "the database library is loaded from the directory for temporary files";
    return `${requirement}, but ${directory} does not allow that. Set TMPDIR to another directory`;
  }
  return `cannot load the database library: ${message}`;
}
