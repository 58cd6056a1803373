// The client as an app: what is shared into it, its start without a network, and fingers on glass.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeBrowser, type Seat } from "./browser.ts";
import { shows, Street } from "./street.ts";

let street: Street;
let seat: Seat;
beforeAll(async () => {
  street = await Street.open();
  seat = await street.seatOf("bo");
  const page = await seat.tab("/#inbox");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.close();
});
afterAll(async () => {
  await street?.close();
  await closeBrowser();
});

/** As the system does it where another app shares: a form is sent. */
async function share(page: Page, fields: Record<string, string>, file?: string): Promise<void> {
  await page.evaluate(
    ([said, text]) => {
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action: "/share", enctype: "multipart/form-data" });
      for (const [name, value] of Object.entries(said)) {
        const field = document.createElement("input");
        Object.assign(field, { name, value });
        form.append(field);
      }
      if (text !== undefined) {
        const field = document.createElement("input");
        Object.assign(field, { type: "file", name: "files" });
        const moved = new DataTransfer();
        moved.items.add(new File([text], "notes – 1.txt", { type: "text/plain" }));
        field.files = moved.files;
        form.append(field);
      }
      document.body.append(form);
      form.submit();
    },
    [fields, file] as const,
  );
}

test("words and files that another app shares lead into the composer, and are sent", async () => {
  const page = await seat.tab("/#inbox");
  await page.locator(".rail").waitFor();
  await share(page, { title: "Leeks", text: "Leeks: how to", url: "https://a.example/" }, "dig");
  const text = page.locator("form.compose textarea");
  await text.waitFor();
  await page.waitForFunction(() =>
    document.querySelector<HTMLTextAreaElement>("form.compose textarea")?.value.includes("/user_"),
  );
  const words = await text.inputValue();
  expect(words.startsWith("Leeks: how to\nhttps://a.example/")).toBe(true);
  expect(words).toContain("[notes – 1.txt](/user_uploads/");
  await page.locator("input[name=channel]").fill("design");
  await page.keyboard.press("Enter");
  await page.locator("input[name=topic]").fill("logo");
  await page.keyboard.press("Enter");
  await page.locator("form.compose [type=submit]").click();
  while (!(await street.posted()).some(({ content }) => content.startsWith("Leeks"))) {
    await Bun.sleep(20);
  }
  // It is taken once.
  await page.goto("/#share");
  await page.getByText("There is nothing that was shared").waitFor();
  await page.close();
});

test("the shortcut for a new message asks where it goes", async () => {
  const page = await seat.tab("/#new");
  await page.locator("input[name=channel]:focus").waitFor();
  expect(await page.evaluate(() => location.hash)).toBe("");
  const manifest = await (await fetch(`${street.town.url}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({
    display: "standalone",
    share_target: { action: "/share", method: "POST", enctype: "multipart/form-data" },
  });
  await page.close();
});

test("without a network all of it starts, also what was not shown before", async () => {
  await street.post("ada", "kept for later");
  const page = await seat.tab(street.place);
  await shows(page, "kept for later");
  await page.waitForFunction(async () => {
    const [sw, cache] = await Promise.all([
      fetch("/sw.js").then((answer) => answer.text()),
      caches.open("skein-client"),
    ]);
    const wanted = new Set(sw.match(/\/assets\/[\w-]+\.js/g) ?? []);
    const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    return wanted.size > 10 && [...wanted].every((path) => kept.has(path));
  });
  await page.close();
  await seat.context.setOffline(true);
  const later = await seat.tab("/#settings/security");
  await later.getByRole("heading", { name: "Security" }).waitFor();
  await later.goto("/#inbox");
  await later.locator(".rail").waitFor();
  await seat.context.setOffline(false);
  await later.close();
});
