// Refuses a database file whose pages are damaged, before the library maps it into memory.
import { checkStructure, type Limits, UNLIMITED } from "./check.ts";

const LISTED = 3;

/** Damage that would crash the library, or lose data silently. */
export class DatabaseDamaged extends Error {
  override name = "DatabaseDamaged";

  constructor(path: string, faults: readonly string[]) {
    const more = faults.length > LISTED ? `; and ${faults.length - LISTED} more` : "";
    super(
      `${path} is damaged: ${faults.slice(0, LISTED).join("; ")}${more}. ` +
        "It was not opened. Restore the newest backup into a new directory: skein restore. " +
        "A file that was copied while a server was running looks like this too: " +
        "only skein backup makes a copy of a running server that can be used",
    );
  }
}

/** Gives how many pages were not checked. The file must be closed. */
export function refuseDamaged(path: string, limits: Limits = UNLIMITED): number {
  const { faults, skipped_pages } = checkStructure(path, limits);
  if (faults.length > 0) throw new DatabaseDamaged(path, faults);
  return skipped_pages;
}
