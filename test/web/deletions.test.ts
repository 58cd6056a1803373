// Topics and messages are deleted with permission; snippets are changed and deleted.
import { afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { Name } from "../users.ts";
import { until } from "../wait-until.ts";
import { faultsOf } from "./axe.ts";
import { waitForMessage, waitForConnection, BrowserFixture } from "./browser-fixture.ts";
import { routeUntilEnd } from "./failing-network.ts";

const fixture = await BrowserFixture.forTestFile();
// Expected errors of one test's pages are not faults of the next test.
afterEach(async () => {
  for (const browserSession of fixture.testServer.browserSessions.splice(0))
    await browserSession.close();
});

async function openMenuOf(name: Name): Promise<Page> {
  const page = await (await fixture.sessionOf(name)).tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await waitForMessage(page, "to be taken away");
  await page.locator("body[data-whole]").waitFor();
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).first().click();
  await page.getByRole("menuitem", { name: "Copy link" }).waitFor();
  return page;
}

test("offers topic deletion only with permission, and removes it for all", async () => {
  await fixture.post("ada", "to be taken away");
  await fixture.post("bo", "to be taken away too");
  const others = await openMenuOf("bo");
  expect(await others.getByRole("menuitem", { name: /Delete topic/ }).count()).toBe(0);
  await others.keyboard.press("Escape");
  const page = await openMenuOf("ada");
  await page.getByRole("menuitem", { name: /Delete topic/ }).click();
  const sure = page.getByRole("dialog", { name: "Delete topic" });
  await sure.getByText("This permanently deletes all messages in “logo”").waitFor();
  await sure.getByRole("button", { name: "Delete topic" }).press("Enter");
  await page.getByText("Topic deleted").waitFor();
  await others.locator("article").first().waitFor({ state: "detached" });
  expect(await fixture.listPosted()).toEqual([]);
  for (const browserSession of fixture.testServer.browserSessions.splice(0)) {
    expect(browserSession.faults).toEqual([]);
    await browserSession.close();
  }
});

test("changes, deletes and restores a snippet by keyboard", async () => {
  const { testServer } = fixture;
  const readStored = async () => {
    const { saved_snippets } = await testServer.request("cy", "GET /saved_snippets");
    return saved_snippets.map((snippet: Record<string, unknown>) => [
      snippet["title"],
      snippet["content"],
    ]);
  };
  await testServer.request("cy", "POST /saved_snippets", { title: "Welcome", content: "Hello" });
  const browserSession = await fixture.sessionOf("cy");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator("body[data-whole]").waitFor();
  const open = async () => {
    // The previous dialog closes when the server has saved its snippet.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.locator(".compose textarea:enabled").focus();
    await page.keyboard.press("Control+'");
    await page.getByRole("menuitem", { name: "Edit snippets…" }).press("Enter");
    await page.getByRole("menuitem", { name: "Welcome" }).press("Enter");
    await page.getByRole("dialog", { name: "Edit snippet" }).waitFor();
  };
  await open();
  const more = page.getByLabel("Text", { exact: true });
  expect(await page.getByLabel("Title", { exact: true }).getAttribute("maxlength")).toBe("60");
  // The form shows the error beside the typed text.
  const accept = await routeUntilEnd(page, "**/json/saved_snippets/*", (route) =>
    route.fulfill({ status: 400, json: { result: "error", code: "BAD_REQUEST", msg: "No room" } }),
  );
  await more.fill("Good morning, all");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await page.getByRole("dialog").getByRole("alert").getByText("No room").waitFor();
  expect(await more.inputValue()).toBe("Good morning, all");
  expect(browserSession.faults.splice(0).filter((fault) => !fault.includes("400"))).toEqual([]);
  accept();
  await more.fill("Good morning");
  await page.getByRole("button", { name: "Save" }).press("Enter");
  await until(async () => JSON.stringify(await readStored()) === '[["Welcome","Good morning"]]');
  await open();
  await page.getByRole("button", { name: "Delete" }).press("Enter");
  await until(async () => (await readStored()).length === 0);
  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await until(async () => JSON.stringify(await readStored()) === '[["Welcome","Good morning"]]');
  expect(browserSession.faults).toEqual([]);
});

test("keeps edits when another device changes or deletes a snippet", async () => {
  const { testServer } = fixture;
  const readStored = async (): Promise<string[][]> => {
    const { saved_snippets } = await testServer.request("bo", "GET /saved_snippets");
    return saved_snippets.map((snippet: Record<string, string>) => [
      snippet["title"]!,
      snippet["content"]!,
    ]);
  };
  const created = { title: "Thanks", content: "Thank you" };
  const { saved_snippet_id } = await testServer.request("bo", "POST /saved_snippets", created);
  const path = `/saved_snippets/${saved_snippet_id}`;
  const browserSession = await fixture.sessionOf("bo");
  const page = await browserSession.tab(fixture.topicUrl);
  await waitForConnection(page, "live");
  await page.locator(".compose textarea:enabled").focus();
  await page.keyboard.press("Control+'");
  await page.getByRole("menuitem", { name: "Edit snippets…" }).press("Enter");
  // The snippet of the open menu has changed meanwhile.
  await page.getByRole("menuitem", { name: "Thanks" }).waitFor();
  await testServer.request("bo", `PATCH ${path}`, { content: "Thank you!" });
  await page.getByRole("menuitem", { name: "Thanks" }).press("Enter");
  const dialog = page.getByRole("dialog");
  const [title, text] = ["Title", "Text"].map((name) => dialog.getByLabel(name, { exact: true }));
  await page.waitForFunction(
    () => document.querySelector<HTMLTextAreaElement>(".dialog textarea")?.value === "Thank you!",
  );
  await text!.fill("Thank you all");
  // Untouched fields follow the change; edited ones show a notice.
  await testServer.request("bo", `PATCH ${path}`, { title: "Thanks!" });
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>(".dialog input")?.value === "Thanks!",
  );
  expect(await dialog.getByRole("alert").innerText()).toBe("");
  await testServer.request("bo", `PATCH ${path}`, { content: "Thank you, all" });
  await dialog.getByRole("alert").getByText("This snippet was changed elsewhere").waitFor();
  expect([await title!.inputValue(), await text!.inputValue()]).toEqual([
    "Thanks!",
    "Thank you all",
  ]);
  expect(await faultsOf(page)).toEqual([]);
  await testServer.request("bo", `DELETE ${path}`);
  await dialog.getByRole("alert").getByText("snippet was deleted elsewhere").waitFor();
  expect(await text!.inputValue()).toBe("Thank you all");
  expect(await dialog.getByRole("button", { name: "Delete" }).count()).toBe(0);
  await dialog.getByRole("button", { name: "Save" }).press("Enter");
  await dialog.waitFor({ state: "detached" });
  expect(await readStored()).toEqual([["Thanks!", "Thank you all"]]);
  expect(browserSession.faults).toEqual([]);
});

test("rolls nothing back if the page closes before a deletion is sent", async () => {
  const { id } = await fixture.post("bo", "Not this");
  const page = await (await fixture.sessionOf("bo")).tab(fixture.topicUrl);
  await page.locator(`#m${id}`).focus();
  await page.keyboard.press("i");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await page.locator(".toast", { hasText: "deleted" }).waitFor();
  const refused = page.waitForResponse((response) => response.status() === 400);
  await page.reload();
  await page.locator("body[data-whole]").waitFor();
  await page.evaluate(() => {
    const recordAlert = () => {
      for (const { textContent } of document.querySelectorAll("[role=alert]")) {
        if (textContent) document.body.dataset["alert"] = textContent;
      }
    };
    new MutationObserver(recordAlert).observe(document.body, { childList: true, subtree: true });
  });
  // The page repeats the deletion, and the server answers that the message is already deleted.
  await refused;
  await page.keyboard.press("M");
  await page.locator(".toast", { hasText: "Muted" }).waitFor();
  expect(await page.locator("body").getAttribute("data-alert")).toBeNull();
});
