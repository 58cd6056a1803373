// The composer's toolbar: one line on narrow screens, and a single tab stop.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await BrowserFixture.open();
});
afterAll(async () => {
  await fixture?.close();
});

test("keeps tools on one line beside a panel and on a phone, in German too", async () => {
  await fixture.testServer.request("bo", "PATCH /settings", { default_language: "de" });
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(".compose textarea").click();
  await page.keyboard.type("Ein Entwurf");
  await page.locator(".compose [role=status]", { hasText: "gespeichert" }).waitFor();
  const lineOf = (selector: string) =>
    page.locator(`.compose-tools ${selector}`).evaluate((node) => {
      const { lineHeight } = getComputedStyle(node);
      const range = document.createRange();
      range.selectNodeContents(node);
      return range.getBoundingClientRect().height / Number.parseFloat(lineHeight);
    });
  for (const width of [320, 390, 768, 920, 1000, 1100]) {
    await page.setViewportSize({ width, height: 700 });
    const overflow = await page.locator(".compose-tools").evaluate((node) => {
      return node.scrollWidth - node.clientWidth;
    });
    expect([width, overflow]).toEqual([width, 0]);
    expect([width, (await lineOf(".compose-peek")) < 1.5]).toEqual([width, true]);
  }
  // The list of uploads is no wider than the text field.
  await page.setViewportSize({ width: 390, height: 700 });
  await page.route("**/json/tus/**", () => undefined);
  await page.route("**/json/user_uploads**", () => undefined);
  const name = `${"Protokoll".repeat(12)}.pdf`;
  const buffer = Buffer.alloc(1000);
  await page.locator(".compose input[type=file]").setInputFiles({ name, mimeType: "", buffer });
  const cancel = page.locator(".compose-uploads button").first();
  await cancel.waitFor();
  const box = (await cancel.boundingBox())!;
  expect(box.x + box.width).toBeLessThan(390);
});

test("Tab leads to Send, and back to the messages or on", async () => {
  const { id } = await fixture.post("bo", "Which logo?");
  const page = await (await fixture.sessionOf("ada")).tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  const area = page.locator(".compose textarea");
  await area.click();
  await page.locator(`#m${id}`).waitFor();
  const press = async (key: string, selector: string) => {
    await page.keyboard.press(key);
    await page.locator(`${selector}:focus`).waitFor();
  };
  await page.keyboard.type("This");
  await press("Tab", ".send [type=submit]");
  await press("ArrowLeft", ".compose-peek");
  await press("ArrowLeft", '[aria-label="More tools"]');
  await press("Home", '[aria-label="Bold"]');
  await press("Shift+Tab", ".compose textarea");
  await press("Tab", ".send [type=submit]");
  await press("Tab", `#m${id}`);
  const isWriting = () => area.evaluate((node) => node.matches(":focus"));
  while (!(await isWriting())) await page.keyboard.press("Tab");
  await press("Tab", ".send [type=submit]");
  await press("Tab", ".panel input");
});
