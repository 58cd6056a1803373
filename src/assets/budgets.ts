// Size budgets of the compressed web client, which fail the build if exceeded.
import type { BuiltFile } from "./build.ts";
import { brotli } from "./embed.ts";

const KB = 1000;
export const BUDGETS = {
  /** Scripts needed before the first message is displayed. */
  boot: 70 * KB,
  /** Styles needed before the first message is displayed. */
  styles: 15 * KB,
  /** Styles of all pages. */
  allStyles: 19 * KB,
  /** All scripts, including those of all languages. */
  scripts: 485 * KB,
} as const;

/** Scripts that load when their part is first used, by the beginning of their file name. */
export const LAZY_BUDGETS = {
  /** The emoji picker, without the table of emoji that rendering shares. */
  "picker-": 4 * KB,
  /** Search words of the picker that are not names. */
  "keywords-": 3 * KB,
  /** Previews of files. */
  "preview-": 2 * KB,
} as const;

export type Sizes = Record<keyof typeof BUDGETS, number>;

/** Compressed bytes of each lazy part. */
export function lazySizes(files: readonly BuiltFile[]): Map<string, number> {
  const names = Object.keys(LAZY_BUDGETS);
  return new Map(
    names.map((name) => {
      const parts = files.filter(({ path }) => path.startsWith(`/assets/${name}`));
      return [name, parts.reduce((sum, { bytes }) => sum + brotli(bytes).length, 0)];
    }),
  );
}

export class TooLarge extends Error {}

export function sizesOf(files: readonly BuiltFile[]): Sizes {
  const sizes: Sizes = { boot: 0, styles: 0, allStyles: 0, scripts: 0 };
  for (const { path, bytes, isBoot } of files) {
    const kind = /\.(js|css)$/.exec(path)?.[1];
    // The help pages have their own style sheet, which the client never loads.
    if (kind === undefined || (kind === "css" && isBoot === undefined)) continue;
    // The sign-in page's script repeats parts of the client, which does not load it.
    if (path === "/signed-out.js") continue;
    const size = brotli(bytes).length;
    sizes[kind === "js" ? "scripts" : "allStyles"] += size;
    if (isBoot) sizes[kind === "js" ? "boot" : "styles"] += size;
  }
  return sizes;
}

export function checkBudgets(sizes: Sizes): void {
  const names = Object.keys(BUDGETS) as (keyof Sizes)[];
  const over = names.filter((name) => sizes[name] > BUDGETS[name]);
  const sizeLines = over.map((name) => `${name} ${sizes[name]} of ${BUDGETS[name]} bytes`);
  if (sizeLines.length > 0) throw new TooLarge(`the client is too large: ${sizeLines.join(", ")}`);
}
