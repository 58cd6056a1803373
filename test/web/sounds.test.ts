// Sounds without locks and notifications, as a browser has neither where there is no https.
import { expect, test } from "bun:test";
import { LAN_HOST } from "./browser-session.ts";
import { stands, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.ofFile();

test("one tab sounds where the connection is not encrypted, and another after it", async () => {
  const browserSession = await fixture.sessionOf("bo", LAN_HOST);
  await browserSession.context.addInitScript(() => {
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (at) {
      document.documentElement.dataset["heard"] = "";
      start.call(this, at);
    };
  });
  const tabs = [
    await browserSession.tab(`${browserSession.url}/#inbox`),
    await browserSession.tab(`${browserSession.url}/#inbox`),
  ];
  const heard = () =>
    Promise.all(tabs.map(async (tab) => (await tab.locator("html[data-heard]").count()) > 0));
  /** All of them have heard of it, and one of them has sounded. */
  const called = async (text: string) => {
    await fixture.post("ada", `@**Bo Member** ${text}`);
    for (const tab of tabs) await tab.getByText(text).first().waitFor();
    await Promise.race(tabs.map((tab) => tab.locator("html[data-heard]").waitFor()));
  };
  for (const tab of tabs) {
    await stands(tab, "live");
    await tab.locator("main").click({ position: { x: 5, y: 300 } });
  }
  await called("by one tab");
  const sounded = await heard();
  expect(sounded.toSorted()).toEqual([false, true]);
  await tabs.splice(sounded.indexOf(true), 1)[0]!.close();
  await called("by the other");
  await browserSession.close();
});
