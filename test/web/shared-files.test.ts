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

test("what lies in a spoiler is covered, and is seen in its conversation", async () => {
  const { town } = street;
  const uploaded = (name: string) =>
    upload(town, "ada", { name, bytes: name.endsWith(".png") ? striped(200, 100) : "%PDF" });
  const [seen, both, secret] = [
    await uploaded("seen.png"),
    await uploaded("both.png"),
    await uploaded("secret.png"),
  ];
  const [ending, nameless] = [await uploaded("ending.pdf"), await uploaded("nameless.png")];
  const inner = `\`\`\`spoiler Inner\n[secret.png](${secret})\n\`\`\``;
  const content = [
    `[seen.png](${seen}) [both.png](${both})`,
    `\`\`\`\`spoiler The **end**\n[both.png](${both}) [ending.pdf](${ending})\n${inner}\n\`\`\`\``,
    `\`\`\`spoiler\n[nameless.png](${nameless})\n\`\`\``,
  ].join("\n\n");
  const to = { type: "channel", to: street.stream_id, topic: "film" };
  const { id } = await town.ask("ada", "POST /messages", { ...to, content });
  const seat = await street.seatOf("bo");
  const asked: string[] = [];
  seat.context.on("request", (request) => asked.push(decodeURI(request.url())));
  const page = await seat.tab(street.place.replace("topic/logo", "topic/film"));
  await page.locator(`#m${id}`).waitFor();
  await page.keyboard.press("F");
  const tiles = page.locator(".shared li");
  await tiles.nth(4).waitFor();
  expect(await page.locator(".shared li b").allTextContents()).toEqual([
    "seen.png",
    "both.png",
    "The end",
    "The end",
    "Spoiler",
  ]);
  expect(await page.locator(".shared").innerHTML()).not.toMatch(/secret|ending|nameless/);
  for (const looked of LOOKS) {
    await look(page, looked);
    expect(await faultsOf(page)).toEqual([]);
  }
  await page.getByRole("button", { name: "Pictures" }).click();
  await tiles.nth(4).waitFor({ state: "detached" });
  expect(await tiles.count()).toBe(4);
  await tiles.first().locator(".shared-it").press("Enter");
  await page.getByRole("dialog", { name: "seen.png" }).waitFor();
  expect(await page.locator(".strip-t button").count()).toBe(2);
  await page.keyboard.press("Escape");
  await tiles.last().locator(".shared-it").press("Enter");
  await page.locator(`#m${id} details:not([open])`).first().waitFor();
  expect(asked.filter((url) => /secret|ending|nameless/.test(url))).toEqual([]);
  expect(seat.faults).toEqual([]);
});
