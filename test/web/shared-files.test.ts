// The files of a place: what was shared there, newest first, for whoever may read it.
import { expect, test } from "bun:test";
import { striped, upload } from "../features/uploading.ts";
import { faultsOf, look, LOOKS } from "./axe.ts";
import { Street } from "./street.ts";

const street = await Street.ofFile();

const share = async (name: string, bytes: Uint8Array<ArrayBuffer> | string, topic = "logo") => {
  const file = await upload(street.town, "ada", { name, bytes });
  const to = { type: "channel", to: street.stream_id, topic };
  const { id } = await street.town.ask("ada", "POST /messages", {
    ...to,
    content: `Look: [${name}](${file})`,
  });
  return id as number;
};

test("what was shared in a topic is found by a key, shown in full, and followed", async () => {
  await share("sketch.png", striped(300, 200));
  await share("brief.pdf", "%PDF");
  await share("other.txt", "elsewhere", "mark");
  await street.post("ada", "Nothing here but [a link](https://example.com/)");
  const seat = await street.seatOf("bo");
  const page = await seat.tab(street.place);
  await page.locator("article").filter({ hasText: "brief.pdf" }).first().waitFor();
  await page.keyboard.press("F");
  const tiles = page.locator(".shared li");
  const names = () => page.locator(".shared li b").allTextContents();
  await tiles.nth(1).waitFor();
  expect(await names()).toEqual(["brief.pdf", "sketch.png"]);
  expect(new URL(page.url()).hash).toEndWith("/topic/logo");
  // What comes is there at once.
  await share("final.png", striped(200, 300));
  await tiles.filter({ hasText: "final.png" }).waitFor();
  expect(await names()).toEqual(["final.png", "brief.pdf", "sketch.png"]);
  for (const looked of LOOKS) {
    await look(page, looked);
    expect(await faultsOf(page)).toEqual([]);
  }

  await tiles.first().locator(".shared-it").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "sketch.png" }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("dialog", { name: "final.png" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Other files" }).press("Enter");
  await tiles.nth(1).waitFor({ state: "detached" });
  expect(await names()).toEqual(["brief.pdf"]);
  await tiles.first().locator(".shared-at").press("Enter");
  await page.locator("article").filter({ hasText: "brief.pdf" }).first().waitFor();
  expect(new URL(page.url()).hash).toContain("/near/");
  expect(seat.faults).toEqual([]);
});

test("a channel's menu leads to its files; who may not read it sees none", async () => {
  await share("plan.pdf", "%PDF", "plan");
  const seat = await street.seatOf("bo");
  const page = await seat.tab(`/#narrow/channel/${street.stream_id}-design`);
  await page.locator("article").filter({ hasText: "plan.pdf" }).first().waitFor();
  await page.locator(".bar").getByRole("button", { name: "More" }).press("Enter");
  await page.getByRole("menuitem", { name: "Files" }).press("Enter");
  const plan = page.locator(".shared li").filter({ hasText: "plan.pdf" });
  await plan.getByText("plan", { exact: true }).waitFor();

  const guest = await street.seatOf("gus");
  const other = await guest.tab(new URL(page.url()).hash.replace("#", "/#"));
  await other.getByText("Nothing has been shared here yet.").waitFor();
  expect(await other.locator(".shared li").count()).toBe(0);
});
