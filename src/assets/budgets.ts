// How much of the client a browser may have to fetch, compressed: more fails the build.
import type { BuiltFile } from "./build.ts";
import { brotli } from "./embed.ts";

const KB = 1000;
export const BUDGETS = {
  /** Scripts without which no message is seen. */
  boot: 70 * KB,
  styles: 15 * KB,
  /** All scripts, but for languages. */
  scripts: 420 * KB,
} as const;

export type Sizes = Record<keyof typeof BUDGETS, number>;

export class TooLarge extends Error {}

export function sizesOf(files: readonly BuiltFile[]): Sizes {
  const sizes: Sizes = { boot: 0, styles: 0, scripts: 0 };
  for (const { path, bytes, isBoot } of files) {
    if (!/\.(js|css)$/.test(path)) continue;
    const size = brotli(bytes).length;
    const isScript = path.endsWith(".js");
    if (isScript) sizes.scripts += size;
    // The help has a style sheet of its own, which the client never asks for.
    if (isBoot) sizes[isScript ? "boot" : "styles"] += size;
  }
  return sizes;
}

export function checkBudgets(sizes: Sizes): void {
  const names = Object.keys(BUDGETS) as (keyof Sizes)[];
  const over = names.filter((name) => sizes[name] > BUDGETS[name]);
  const told = over.map((name) => `${name} ${sizes[name]} of ${BUDGETS[name]} bytes`);
  if (told.length > 0) throw new TooLarge(`the client is too large: ${told.join(", ")}`);
}
