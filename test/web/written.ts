// Reads the composer's text and waits for it.
import type { Page } from "playwright-core";

export const text = (page: Page): Promise<string> => page.locator(".compose textarea").inputValue();

/** Gives the text that it was. */
export async function until(page: Page, is: (text: string) => boolean): Promise<string> {
  for (;;) {
    const now = await text(page);
    if (is(now)) return now;
    await Bun.sleep(20);
  }
}
