// The badge on the icon of the installed client.
import { expect, test } from "bun:test";
import { BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;

/** Records badge calls instead of passing them to the system. */
function system(): void {
  const received: number[] = [];
  Object.assign(window, { told: received });
  navigator.setAppBadge = (count = 0) => Promise.resolve(void received.push(count));
}

test("shows the configured count at the icon, and none once it is read", async () => {
  const request = (line: string, params = {}) => testServer.request("bo", line, params);
  await request("POST /mark_all_as_read");
  const browserSession = await fixture.sessionOf("bo");
  await browserSession.context.addInitScript(system);
  const page = await browserSession.tab("/#inbox");
  const isShown = (count: number) =>
    page.waitForFunction(
      (count) => (window as unknown as { told: number[] }).told.at(-1) === count,
      count,
    );
  await fixture.post("ada", "to all of them");
  await fixture.post("ada", "@**Bo Member** to one");
  await isShown(2);
  // With this setting the badge counts only direct messages and mentions.
  await request("PATCH /settings", { desktop_icon_count_display: 3 });
  await isShown(1);
  await request("POST /mark_all_as_read");
  await isShown(0);
  expect(browserSession.faults).toEqual([]);
});
