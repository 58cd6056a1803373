// What axe-core finds in a page, in a scheme and at a width; nothing, if all is well.
import axe from "axe-core";
import type { Page } from "playwright-core";

export interface Looked {
  scheme: "light" | "dark";
  width: number;
}

/** Every view is looked at in these. */
export const LOOKS: readonly Looked[] = [
  { scheme: "light", width: 1360 },
  { scheme: "dark", width: 1360 },
  { scheme: "light", width: 320 },
  { scheme: "dark", width: 320 },
];

const HEIGHT = 800;

export async function look(page: Page, { scheme, width }: Looked): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
}

/** Each fault with where it is. It runs beside the page, whose policy would not let it in. */
export async function faultsOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "axe",
  });
  const run = async (expression: string) => {
    const asked = { expression, contextId: executionContextId, awaitPromise: true };
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      ...asked,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? "axe failed");
    return result.value as string;
  };
  await run(`${axe.source}; ""`);
  const found = await run(`axe.run(document).then(({ violations }) => JSON.stringify(
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + "  " + target.join(" ") + "  " + failureSummary.split("\\n").slice(1).join(" ")))))`);
  await session.detach();
  return JSON.parse(found) as string[];
}
