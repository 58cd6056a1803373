// Mentions of users who are not in the channel: who may add them, and that the message is sent.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { CAST } from "../users.ts";
import type { Json } from "../test-server.ts";
import { accessibilityFaults } from "./axe.ts";
import { waitForConnection, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer, stream_id } = fixture;
const PHONE = { width: 390, height: 844 };

async function openComposer(name: "bo" | "cy"): Promise<Page> {
  const page = await (await fixture.sessionOf(name)).tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(".compose textarea:enabled").click();
  return page;
}

const members = async (): Promise<number[]> =>
  (await testServer.request("ada", `GET /streams/${stream_id}/members`)).subscribers;

const groupOf = async (name: string): Promise<number> => {
  const { user_groups } = await testServer.request("ada", "GET /user_groups");
  return user_groups.find((group: Json) => group.name === name).id;
};

/** Changes who may add subscribers in the organization. */
async function canAdd(group: string): Promise<void> {
  const can_add_subscribers_group = { new: await groupOf(group) };
  await testServer.request("olga", "PATCH /realm", { can_add_subscribers_group });
}

test("adds a mentioned user to the channel from the composer", async () => {
  await canAdd("role:members");
  const { full_name } = CAST.olga;
  const page = await openComposer("bo");
  await page.setViewportSize(PHONE);
  await page.keyboard.type(`@**${full_name}** look`);
  const notice = page.locator(".compose-notices p").filter({ hasText: "is not in design" });
  await notice.getByText("They can read this message there, but are not notified").waitFor();
  expect(await accessibilityFaults(page, ".compose")).toEqual([]);
  await page.setViewportSize(PHONE);
  const add = page.getByRole("button", { name: `Add ${full_name} to design` });
  await add.press("Enter");
  await page.getByText(`Added ${full_name} to design.`).waitFor();
  await notice.waitFor({ state: "detached" });
  await page.locator(".compose textarea:focus").waitFor();
  expect(await members()).toContain(testServer.idOf("olga"));
  await page.keyboard.press("Control+Enter");
  await fixture.untilPosted(page, `@**${full_name}** look`);
});

test("says that a mentioned user will not see the message, and sends it all the same", async () => {
  await canAdd("role:administrators");
  const { full_name } = CAST.gus;
  const page = await openComposer("cy");
  await page.keyboard.type(`@**${full_name}** hello`);
  const notice = page.locator(".compose-notices p").filter({ hasText: "is not in design" });
  await notice.getByText("will not see this message").waitFor();
  expect(await notice.getByRole("button").count()).toBe(0);
  await page.keyboard.press("Control+Enter");
  await fixture.untilPosted(page, `@**${full_name}** hello`);
  expect(await members()).not.toContain(testServer.idOf("gus"));
});
