// Limits of imports in the browser.
import { DAY_SECONDS } from "../../../contract/units.ts";

export const GIB = 1_073_741_824;
/** Larger archives are imported by the operator's command. */
export const ARCHIVE_GIB_MAX = 4;
/** Required free space as a multiple of the archive's size, because its files are stored, too. */
export const ARCHIVE_SPACE_FACTOR = 2;
/** Maximum size of a request's body. */
export const PIECE_BYTES_MAX = 64 * 1_048_576;
/** An archive that was not imported is deleted after this time. */
export const ARCHIVE_KEPT_SECONDS = DAY_SECONDS;
/** Users of an archive who are listed and can be mapped. */
export const IMPORT_USERS_MAX = 10_000;
