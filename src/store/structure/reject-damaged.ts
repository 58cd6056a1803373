// Rejects a database file with damaged pages before the library maps it into memory.
import { NOT_OPENED_HINT } from "../checksums/complete-file.ts";
import { checkStructure, type Limits, UNLIMITED } from "./check.ts";

const LISTED_MAX = 3;

/** Damage that would crash the library, or lose data silently. */
export class DatabaseDamaged extends Error {
  override name = "DatabaseDamaged";

  constructor(path: string, faults: readonly string[]) {
    const more = faults.length > LISTED_MAX ? `; and ${faults.length - LISTED_MAX} more` : "";
    super(
      `${path} is damaged: ${faults.slice(0, LISTED_MAX).join("; ")}${more}. ${NOT_OPENED_HINT}`,
    );
  }
}

/** Returns the number of pages that were not checked. The file must be closed. */
export function rejectDamaged(path: string, limits: Limits = UNLIMITED): number {
  const { faults, skipped_pages } = checkStructure(path, limits);
  if (faults.length > 0) throw new DatabaseDamaged(path, faults);
  return skipped_pages;
}
