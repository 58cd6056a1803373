// Formats numbers in the user's language.
import { t } from "./words.ts";

const language = () => document.documentElement.lang || "en";

/** `10,004` or `10.004`. */
export const formatCount = (count: number): string => count.toLocaleString(language());

const SIZES = ["kilobyte", "megabyte", "gigabyte"] as const;
const STEP = 1024;
export const MIB = STEP * STEP;

/** `1.5 MB` or `1,5 MB`; rounds up, so that nothing appears as empty or smaller than it is. */
export function formatSize(bytes: number): string {
  let [count, index] = [Math.ceil(bytes / STEP), 0];
  for (let size = bytes / STEP; count >= STEP && index < SIZES.length - 1; index += 1) {
    size /= STEP;
    count = Math.ceil(size * 10) / 10;
  }
  return new Intl.NumberFormat(language(), {
    style: "unit",
    unit: SIZES[index]!,
    unitDisplay: "short",
  }).format(count);
}

/** The message about a file that is too large. Undefined if it is not. */
export function tooLarge(size: number, most_mib: number): string | undefined {
  const max = most_mib * MIB;
  if (size <= max || max === 0) return undefined;
  return t("upload-too-large", { size: formatSize(size), most: formatSize(max) });
}
