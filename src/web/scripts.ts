// Loads scripts on demand, and handles network failures.

const RETRY_MS = 2000;
/** Minimum time between two reloads for a script that cannot be loaded. */
const AGAIN_MS = 60_000;

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Imports a required module. Some browsers remember a failed import and never retry it, so the page
 * reloads once the server answers.
 */
export async function importOrReload<T>(find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    // Other errors come from the script itself.
    if (!(error instanceof TypeError)) throw error;
  }
  do await after(RETRY_MS);
  while (!(await isAnswering()));
  return find().catch(async (error: unknown) => {
    const [started] = performance.getEntriesByType("navigation");
    const isReload = started instanceof PerformanceNavigationTiming && started.type === "reload";
    await after(isReload ? AGAIN_MS : 0);
    reloadPage();
    throw error;
  });
}

/** Whether the server would deliver the page; a proxy may respond while it is down. */
export const isAnswering = (): Promise<boolean> =>
  fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );

export const reloadPage = (): void => location.reload();
