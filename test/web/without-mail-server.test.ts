// The client offers nothing that needs a mail server if there is none.
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { startTestServerWithMail } from "../mail/mail-server.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { faultsOf, APPEARANCES, applyLook } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";

const ALL = [
  "the grid of notifications",
  "how mails are",
  "the grid of newcomers",
  "a channel's notifications",
  "that newcomers are welcomed",
  "that messages stand in mails",
  "that owners are told",
  "that who is deactivated is told",
  "that invitations go by mail",
];

/** Returns the places that mention email to an owner. */
async function promisesIn(
  testServer: TestServer,
  check: (page: Page) => Promise<void>,
): Promise<string[]> {
  const browserSession = await BrowserSession.of(testServer, "olga");
  const page = await browserSession.tab("/#settings/notifications");
  const sections: (string | undefined)[] = [];
  const recordPromise = async (promise: Locator) => {
    await check(page);
    sections.push((await promise.count()) > 0 ? ALL[sections.length] : undefined);
  };
  const settings = async (name: string, there: string) => {
    await page.goto(`/#${name}`);
    await page.locator(`.settings-body ${there}`).first().waitFor();
  };
  const column = page.getByRole("columnheader", { name: "Email" });
  const option = page.locator("input.switch:enabled");
  const switchNamed = (name: string) => page.getByRole("switch", { name }).and(option);

  await settings("settings/notifications", ".settings-grid");
  await recordPromise(column);
  await recordPromise(page.getByLabel("Delay before sending an email"));
  await settings("organization/newcomers", ".settings-grid");
  await recordPromise(column);
  const { stream_id } = await testServer.request("olga", "GET /get_stream_id", {
    stream: "general",
  });
  await page.goto(`/#channels/${stream_id}/general/personal`);
  await page.locator(".option-row").first().waitFor();
  await recordPromise(page.locator(".option-row").filter({ hasText: "Email" }));
  await settings("organization/joining", "section");
  await recordPromise(switchNamed("Send a welcome email to new members"));
  await settings("organization/messages", "section");
  await recordPromise(switchNamed("Include message content in emails"));
  await settings("organization/deactivate", "section");
  await recordPromise(page.getByText("notified by email"));
  await page.goto("/#organization/people");
  await page.getByRole("button", { name: "Actions for Cy Member" }).click();
  await page.getByRole("menuitem", { name: "Deactivate…" }).click();
  await page.getByRole("dialog").waitFor();
  await recordPromise(page.getByLabel("Notify them by email"));
  await page.keyboard.press("Escape");
  await page.goto("/#invite");
  const addresses = page.getByRole("dialog").getByLabel("Email addresses");
  await addresses.or(page.getByRole("dialog").getByLabel("Join as")).first().waitFor();
  await recordPromise(page.getByRole("dialog").getByText("By email", { exact: true }));
  expect(browserSession.faults).toEqual([]);
  await browserSession.close();
  return sections.filter((item) => item !== undefined);
}

test("mentions email everywhere if it is configured", async () => {
  const { testServer, mailServer } = await startTestServerWithMail();
  expect(await promisesIn(testServer, () => Promise.resolve())).toEqual(ALL);
  await testServer.close();
  await mailServer.close();
});

test("mentions no email if it is not configured, and explains why", async () => {
  const testServer = await startTestServer();
  const details = new Set<string>();
  const checkLooks = async (page: Page) => {
    if ((await page.getByText("Email isn’t set up").count()) > 0) details.add(page.url());
    for (const variant of [APPEARANCES[0]!, APPEARANCES[3]!, APPEARANCES[0]!])
      await applyLook(page, variant);
    expect(await faultsOf(page)).toEqual([]);
  };
  expect(await promisesIn(testServer, checkLooks)).toEqual([]);
  const paths = [...details].map((url) => new URL(url).hash.slice(1));
  expect(paths).toEqual([
    ...["settings/notifications", "organization/newcomers", "organization/joining"],
    // Invitations open with links, which need no mail server.
    "organization/messages",
  ]);
  await testServer.close();
});
