// Scripts that come after the page, and what is done where the network keeps one back.

const RETRY_MS = 2000;
/** A file that never comes does not keep the page from being read: no sooner a second time. */
const AGAIN_MS = 60_000;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Imports a required module. Some browsers remember a failed import and never retry it, so the page
 * reloads once the server answers.
 */
export async function untilThere<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    // Anything else than that it could not be fetched is its own fault.
    if (!(error instanceof TypeError)) throw error;
  }
  do await after(RETRY_MS);
  while (!(await isAnswering()));
  return find().catch(async (error: unknown) => {
    const [begun] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    await after(begun?.type === "reload" ? AGAIN_MS : 0);
    loadAnew();
    throw error;
  });
}

/** Whether the page would be there: who stands before a server that is down answers too. */
export const isAnswering = (): Promise<boolean> =>
  fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

export const loadAnew = (): void => location.reload();
