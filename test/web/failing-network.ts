// A network that fails for some requests, and recovers without leaving one hanging.
import type { BrowserContext, Page, Request, Route } from "playwright-core";

/**
 * Handles requests until the returned function is called; later ones pass. Routes are not removed
 * while a page is used, because the browser may then leave requests of that moment without an
 * answer.
 */
export async function routeUntilEnd(
  where: BrowserContext | Page,
  addresses: string | RegExp,
  handle: (route: Route) => unknown,
): Promise<() => void> {
  let isOver = false;
  await where.route(addresses, (route) => (isOver ? route.fallback() : handle(route)));
  return () => void (isOver = true);
}

/** Handles only the next request to these addresses. */
export async function routeOnce(
  where: BrowserContext | Page,
  addresses: string | RegExp,
  handle: (route: Route) => unknown,
): Promise<void> {
  const end = await routeUntilEnd(where, addresses, (route) => {
    end();
    return handle(route);
  });
}

export class NetworkFailure {
  private isWhole = false;

  private constructor(private readonly pages: () => readonly Page[]) {}

  /** Requests to these addresses fail; `matches` selects among them. */
  static async of(
    where: BrowserContext | Page,
    addresses: string | RegExp,
    matches: (request: Request) => boolean = () => true,
  ): Promise<NetworkFailure> {
    const cut = new NetworkFailure(() => ("pages" in where ? where.pages() : [where]));
    await where.route(addresses, (route) =>
      cut.isWhole || !matches(route.request()) ? route.continue() : route.abort(),
    );
    return cut;
  }

  /** Lets all requests pass. */
  stopFailing(): void {
    this.isWhole = true;
  }

  /** Restores the network and dispatches `online` in the pages. */
  async restore(): Promise<void> {
    this.stopFailing();
    for (const page of this.pages()) await page.evaluate(() => dispatchEvent(new Event("online")));
  }
}

export const isPost = (request: Request): boolean => request.method() === "POST";
