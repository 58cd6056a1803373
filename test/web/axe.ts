// Finds accessibility faults of a page with axe-core, by scheme and width.
import axe from "axe-core";
import type { CDPSession, Page } from "playwright-core";

interface Appearance {
  scheme: "light" | "dark";
  width: number;
}

/** Tests check every view in these color schemes and widths. */
export const APPEARANCES: readonly Appearance[] = [
  { scheme: "light", width: 1360 },
  { scheme: "dark", width: 1360 },
  { scheme: "light", width: 320 },
  { scheme: "dark", width: 320 },
];

/** Each scheme and each width once. */
export const TWO_LOOKS: readonly Appearance[] = [APPEARANCES[0]!, APPEARANCES[3]!];

const HEIGHT = 800;

export async function applyLook(page: Page, { scheme, width }: Appearance): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
}

interface IsolatedContext {
  session: CDPSession;
  contextId: number;
}

/**
 * Rules that compare colors. A scheme changes no more than colors, so only these rules run again
 * in the second scheme.
 */
export const COLOR_RULES: readonly string[] = ["color-contrast", "link-in-text-block"];

/**
 * Returns the violations in each look, after its name, and whether the page overflows its width.
 * The page stays in the last look.
 */
export async function accessibilityFaults(
  page: Page,
  within = "html",
  looks = APPEARANCES,
): Promise<string[]> {
  const faults: string[] = [];
  const widths = new Set<number>();
  for (const look of looks) {
    await applyLook(page, look);
    const found = await faultsOf(page, widths.has(look.width) ? COLOR_RULES : undefined, within);
    faults.push(...found.map((fault) => `${look.scheme} ${look.width}: ${fault}`));
    if (!widths.has(look.width) && (await isTooWide(page))) faults.push(`wider than ${look.width}`);
    widths.add(look.width);
  }
  return faults;
}

export const isTooWide = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

/** Audio and video are the only files that the rules load: none of them reads style sheets. */
const PRELOAD = { assets: ["media"] };

/** Client links start with "#", so axe would take each link off the screen for a skip link. */
const RULES = { rules: [{ id: "skip-link", selector: "a.skip" }] };

/** Isolated worlds for axe, which the CSP keeps out of the page; they end with their document. */
const worlds = new WeakMap<Page, IsolatedContext>();

/** Returns each violation with its place, by all rules or the given ones, within a selector. */
export async function faultsOf(
  page: Page,
  only?: readonly string[],
  within = "html",
): Promise<string[]> {
  const options = JSON.stringify({
    resultTypes: ["violations"],
    preload: PRELOAD,
    ...(only && { runOnly: only }),
  });
  const location = JSON.stringify(within);
  const requested = `axe.run(${location}, ${options}).then(({ violations }) => JSON.stringify(
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + "  " + target.join(" ") + "  " + failureSummary.split("\\n").slice(1).join(" ")))))`;
  const isolatedContext = worlds.get(page);
  const exists =
    isolatedContext &&
    (await evaluateIn(isolatedContext, "typeof axe").catch(() => "")) === "object";
  const world = exists ? isolatedContext : await worldOf(page);
  return JSON.parse(await evaluateIn(world, requested)) as string[];
}

async function worldOf(page: Page): Promise<IsolatedContext> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "axe",
  });
  const world = { session, contextId };
  await evaluateIn(world, `${axe.source}; axe.configure(${JSON.stringify(RULES)}); ""`);
  worlds.set(page, world);
  return world;
}

async function evaluateIn(
  { session, contextId }: IsolatedContext,
  expression: string,
): Promise<string> {
  const params = { expression, contextId, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", params);
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? "axe failed");
  return result.value as string;
}
