// Counts the browser's work for an arriving message.
import { expect, test } from "bun:test";
import { ROWS_MAX } from "../../src/web/feed/window.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const ARRIVALS = 20;
/** Maximum of restyled elements per new message: its row and the unread counts. */
const STYLED_MAX = 120;

const fixture = await BrowserFixture.forTestFile();

test("a new message restyles nothing that is already displayed", async () => {
  const page = await (await fixture.sessionOf("cy")).tab(fixture.topicUrl);
  await page.locator("body[data-whole]").waitFor();
  await page.locator(".compose textarea").focus();
  // Posts more messages than the page keeps, so that each new one may remove another.
  for (let index = 0; index < ROWS_MAX + ARRIVALS; index++)
    await fixture.post("bo", `Before ${index}`);
  await page.locator(".msg", { hasText: `Before ${ROWS_MAX + ARRIVALS - 1}` }).waitFor();
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ["devtools.timeline"] });
  for (let index = 0; index < ARRIVALS; index++) {
    const { id } = await fixture.post("bo", `Comes ${index}`);
    await page.locator(`#m${id}`).waitFor();
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as Trace;
  const styled = traceEvents
    .filter(({ name }) => name === "UpdateLayoutTree")
    .map(({ args }) => args?.elementCount ?? 0);
  const all = styled.reduce((sum, count) => sum + count, 0);
  expect(all).toBeGreaterThan(ARRIVALS);
  expect(all).toBeLessThan(ARRIVALS * STYLED_MAX);
});

interface Trace {
  traceEvents: { name: string; args?: { elementCount?: number } }[];
}
