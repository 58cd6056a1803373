// The user's uploaded files, and messages after their deletion.
import { expect, test } from "bun:test";
import { striped, upload } from "../features/upload-fixture.ts";
import { faultsOf } from "./axe.ts";
import { NetworkFailure } from "./failing-network.ts";
import { waitForMessage, BrowserFixture } from "./browser-fixture.ts";

const fixture = await BrowserFixture.forTestFile();
const { testServer } = fixture;

/** Posts content in its own topic; returns the address of the topic. */
async function postAndShow(topic: string, content: string): Promise<string> {
  const to = { type: "channel", to: fixture.stream_id, topic };
  await testServer.request("ada", "POST /messages", { ...to, content });
  return `/#narrow/channel/${fixture.stream_id}-design/topic/${topic}`;
}

test("a file shows where it is used and what its deletion removes", async () => {
  const path = await upload(testServer, "bo", { name: "plan.txt", bytes: "the plan" });
  await upload(testServer, "bo", { name: "spare.txt", bytes: "spare" });
  const text = `[plan.txt](${path})`;
  await fixture.post("bo", text);
  const to = [testServer.idOf("cy")];
  await testServer.request("bo", "POST /messages", { type: "direct", to, content: text });
  // Another user forwards it to a conversation without its owner.
  const others = [testServer.idOf("ada")];
  await testServer.request("cy", "POST /messages", { type: "direct", to: others, content: text });
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab("/#settings/files");
  const row = page.locator(".settings-list li").filter({ hasText: "plan.txt" });
  await row.getByRole("link", { name: "in Cy Member" }).waitFor();
  await row.getByText("and in 1 more").waitFor();
  await page.getByText("not used in a message").waitFor();
  expect(await faultsOf(page)).toEqual([]);

  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Delete spare.txt" }).click();
  await dialog.getByText("The file is not used in any message.").waitFor();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete spare.txt" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Delete plan.txt" }).click();
  await dialog.getByText("The 3 messages that contain it stay").waitFor();
  await page.keyboard.press("Escape");
  const loads: string[] = [];
  page.on("load", () => loads.push(page.url()));
  await row.getByRole("link", { name: "in logo · design" }).click();
  await waitForMessage(page, "plan.txt");
  expect([new URL(page.url()).hash.includes("/topic/logo/near/"), loads]).toEqual([true, []]);
  expect(browserSession.faults).toEqual([]);
});

test("shows a placeholder for a deleted picture, in the message and in full", async () => {
  const bytes = striped(400, 300);
  const path = await upload(testServer, "ada", { name: "sketch.png", bytes });
  const small = await upload(testServer, "ada", { name: "small.png", bytes: striped(64, 64) });
  const fragment = await postAndShow("gone", `[sketch.png](${path}) [small.png](${small})`);
  const { attachments } = await testServer.request("ada", "GET /attachments");
  const { id } = attachments.find(
    (attachment: { name: string }) => attachment.name === "sketch.png",
  );
  await testServer.request("ada", `DELETE /attachments/${id}`);
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fragment);
  const pictureButton = (name: string) => page.locator(".feed").getByRole("button", { name });
  await pictureButton("sketch.png").getByText("It may be damaged or deleted").waitFor();
  await pictureButton("sketch.png").click();
  const full = page.getByRole("dialog", { name: "sketch.png" });
  await full.getByText("It may be damaged or deleted").waitFor();
  await page.keyboard.press("ArrowRight");
  // The viewer shows an existing picture that is as small as the placeholder of a deleted one.
  const other = page.getByRole("dialog", { name: "small.png" });
  await other.locator("figure img").waitFor();
  await page.keyboard.press("Escape");
  expect(await pictureButton("small.png").locator("img").isVisible()).toBe(true);
  expect(await faultsOf(page)).toEqual([]);
});

test("loads a picture again when the network returns", async () => {
  const path = await upload(testServer, "ada", { name: "late.png", bytes: striped(200, 100) });
  const fragment = await postAndShow("late", `[late.png](${path})`);
  const browserSession = await fixture.sessionOf("bo");
  const network = await NetworkFailure.of(browserSession.context, "**/user_uploads/**");
  const page = await browserSession.tab(fragment);
  const shot = page.locator(".feed").getByRole("button", { name: "late.png" });
  await shot.getByText("It loads when you are back online").waitFor();
  expect(await shot.getByText("damaged").count()).toBe(0);
  await shot.click();
  const full = page.getByRole("dialog", { name: "late.png" });
  await full.getByText("It loads when you are back online").waitFor();
  expect(await faultsOf(page)).toEqual([]);
  await network.restore();
  await full.locator("figure img").waitFor();
  await page.keyboard.press("Escape");
  await shot.locator("img").waitFor();
  expect(await page.getByText("loads when you are back online").count()).toBe(0);
  expect(await shot.getAttribute("aria-label")).toBe("Open late.png");
});
