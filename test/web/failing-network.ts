// A network that fails for some requests, and recovers without leaving one hanging.
import type { BrowserContext, Page, Request, Route } from "playwright-core";

/**
 * Handles requests until the returned function is called; later ones pass. Routes are not removed
 * while a page is used, because the browser may then leave requests of that moment without an
 * answer.
 */
export async function routeUntilEnd(
  target: BrowserContext | Page,
  addresses: string | RegExp,
  handle: (route: Route) => unknown,
): Promise<() => void> {
  let isOver = false;
  await target.route(addresses, (route) => (isOver ? route.fallback() : handle(route)));
  return () => void (isOver = true);
}

/** Handles only the next request to these addresses. */
export async function routeOnce(
  target: BrowserContext | Page,
  addresses: string | RegExp,
  handle: (route: Route) => unknown,
): Promise<void> {
  const end = await routeUntilEnd(target, addresses, (route) => {
    end();
    return handle(route);
  });
}

export class NetworkFailure {
  private isWhole = false;

  private constructor(private readonly pages: () => readonly Page[]) {}

  /** Requests to these addresses fail; `matches` selects among them. */
  static async of(
    target: BrowserContext | Page,
    addresses: string | RegExp,
    matches: (request: Request) => boolean = () => true,
  ): Promise<NetworkFailure> {
    const failure = new NetworkFailure(() => ("pages" in target ? target.pages() : [target]));
    await target.route(addresses, (route) =>
      failure.isWhole || !matches(route.request()) ? route.continue() : route.abort(),
    );
    return failure;
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
