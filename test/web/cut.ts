// A network that is cut for some requests, and mended without one of them being left hanging.
import type { BrowserContext, Page, Request } from "playwright-core";

export class Cut {
  private isWhole = false;

  private constructor(private readonly pages: () => readonly Page[]) {}

  /** What is asked of these addresses does not get through; `isMeant` picks among it. */
  static async of(
    where: BrowserContext | Page,
    addresses: string | RegExp,
    isMeant: (request: Request) => boolean = () => true,
  ): Promise<Cut> {
    const cut = new Cut(() => ("pages" in where ? where.pages() : [where]));
    await where.route(addresses, (route) =>
      cut.isWhole || !isMeant(route.request()) ? route.continue() : route.abort(),
    );
    return cut;
  }

  /**
   * The route stays, and lets everything through: what is asked while one is taken away is neither
   * answered nor refused.
   */
  mend(): void {
    this.isWhole = true;
  }

  /** Mends it, and the pages hear of that. */
  async tell(): Promise<void> {
    this.mend();
    for (const page of this.pages()) await page.evaluate(() => dispatchEvent(new Event("online")));
  }
}

export const isPost = (request: Request): boolean => request.method() === "POST";
