// Reads the composer's text and attachments, and waits for them.
import type { Locator, Page } from "playwright-core";

export const text = (page: Page): Promise<string> => page.locator(".compose textarea").inputValue();

/** Waits until the composer's text fulfills a condition; returns that text. */
export async function until(page: Page, condition: (text: string) => boolean): Promise<string> {
  for (;;) {
    const now = await text(page);
    if (condition(now)) return now;
    await Bun.sleep(20);
  }
}

/** The chip of an attachment in this state. */
export const chip = (
  page: Page,
  name: string,
  state: "uploading" | "done" | "failed",
  form = ".compose",
): Locator =>
  page.locator(`${form} .compose-uploads li[data-state=${state}]`).filter({ hasText: name });
