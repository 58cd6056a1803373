// Sounds without locks and notifications, which browsers lack without https.
import { expect, test } from "bun:test";
import { LAN_HOST } from "./browser-session.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();

/** Time until another message is sent. */
const RETRY_MS = 8_000;

test("one tab plays sounds over HTTP, and another after it", async () => {
  const browserSession = await fixture.sessionOf("bo", LAN_HOST);
  await browserSession.context.addInitScript(() => {
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (index) {
      document.documentElement.dataset["heard"] = "";
      start.call(this, index);
    };
  });
  const tabs = [
    await browserSession.tab(`${browserSession.url}/#inbox`),
    await browserSession.tab(`${browserSession.url}/#inbox`),
  ];
  const heardInTabs = () =>
    Promise.all(tabs.map(async (tab) => (await tab.locator("html[data-heard]").count()) > 0));
  const anySound = () => Promise.any(tabs.map((tab) => tab.locator("html[data-heard]").waitFor()));
  /** A tab whose audio starts slowly stays silent, and plays the sound of a later message. */
  const mentionAndCount = async (text: string) => {
    const isReceived = anySound().then(() => true);
    for (let index = 1, isOver = false; !isOver; index++) {
      await fixture.post("ada", `@**Bo Member** ${text} ${index}`);
      for (const tab of tabs) await tab.getByText(`${text} ${index}`).first().waitFor();
      isOver = await Promise.race([isReceived, Bun.sleep(RETRY_MS).then(() => false)]);
    }
  };
  for (const tab of tabs) {
    await waitForConnection(tab, "live");
    await tab.locator("main").click({ position: { x: 5, y: 300 } });
  }
  await mentionAndCount("by one tab");
  const sounded = await heardInTabs();
  expect(sounded.toSorted()).toEqual([false, true]);
  await tabs.splice(sounded.indexOf(true), 1)[0]!.close();
  await mentionAndCount("by the other");
});
