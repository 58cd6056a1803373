// Dialogs by keyboard: which field has the focus first, and which key submits.
import { expect, test } from "bun:test";
import { accessibilityFaults } from "./axe.ts";
import { BrowserFixture, waitForMessage } from "./browser-fixture.ts";
import { chip } from "./composer-content.ts";

const fixture = await BrowserFixture.forTestFile();

test("forwards a message to a person without a conversation, and shows it there", async () => {
  const { id } = await fixture.post("bo", "The mark is drawn");
  const page = await (await fixture.sessionOf("ada")).tab(fixture.topicUrl);
  await waitForMessage(page, "The mark is drawn");
  await page.locator(`#m${id}`).press("<");
  const dialog = page.getByRole("dialog", { name: "Forward" });
  const to = dialog.getByRole("combobox", { name: "To", exact: true });
  await to.and(page.locator(":focus")).waitFor();
  // Emulated dark schemes do not reach the list that the browser draws.
  const backgrounds = await to
    .locator("option, optgroup")
    .evaluateAll((all) => all.map((node) => getComputedStyle(node).backgroundColor));
  expect(backgrounds).not.toContain("rgba(0, 0, 0, 0)");
  await to.selectOption({ label: "Other people…" });
  const send = dialog.getByRole("button", { name: "Send" });
  expect(await send.isDisabled()).toBe(true);
  await dialog.getByRole("combobox", { name: "People" }).fill("olga");
  await dialog.getByRole("option", { name: /Olga Owner/ }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Enter");
  const note = dialog.getByRole("textbox", { name: "Add a message" });
  await note.fill("Have a look");
  // Enter starts a line there.
  await note.press("Enter");
  await note.press("Control+Enter");
  await dialog.waitFor({ state: "detached" });
  await page.locator(".toast").getByRole("button", { name: "Show" }).click();
  await page.getByRole("heading", { level: 1, name: "Olga Owner" }).waitFor();
  await waitForMessage(page, "Have a look");
});

test("the status dialog begins in the text, and aligns its fields", async () => {
  const page = await (await fixture.sessionOf("bo")).tab("/#inbox");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("set a status");
  await page.getByRole("option", { name: /Set a status/ }).click();
  const dialog = page.getByRole("dialog", { name: "Set a status" });
  const text = dialog.getByRole("textbox", { name: "Set a status" });
  await text.and(page.locator(":focus")).waitFor();
  const rightOf = async (selector: string) => {
    const box = (await dialog.locator(selector).last().boundingBox())!;
    return box.x + box.width;
  };
  expect(await rightOf(".option-row .field")).toBe(await rightOf(".status-line .field"));
});

test("after files are chosen, the focus is in the text", async () => {
  const page = await (await fixture.sessionOf("cy")).tab(fixture.topicUrl);
  await page.locator(".compose textarea:enabled").waitFor();
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach a file" }).press("Enter");
  const file = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("kept") };
  await (await choosing).setFiles(file);
  await page.locator(".compose textarea:focus").waitFor();
  await chip(page, "notes.txt", "done").waitFor();
});
