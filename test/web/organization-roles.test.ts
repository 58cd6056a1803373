/** Each role sees exactly its pages and buttons; a session that ends does so in all tabs. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { DEFAULT_KEEP } from "../../src/features/backup/rules.ts";
import type { Name } from "../users.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { accessibilityFaults, faultsOf, TWO_LOOKS } from "./axe.ts";
import { BrowserSession } from "./browser-session.ts";

let testServer: TestServer;
const browserSessions: BrowserSession[] = [];
beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(async () => {
  await Promise.all(browserSessions.splice(0).map((browserSession) => browserSession.close()));
  await testServer.close();
});

async function pageOf(name: Name, address: string): Promise<Page> {
  const browserSession = await BrowserSession.of(testServer, name);
  browserSessions.push(browserSession);
  return browserSession.tab(`/#organization/${address}`);
}
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const GUEST_PAGES = [
  ...["Organization profile", "Permissions", "Messages", "Message retention"],
  ...["Emoji", "Linkifiers", "Code playgrounds"],
];
const OF_MEMBERS = [
  ...["Organization profile", "Permissions", "Users", "Invitations", "Messages"],
  ...["Message retention", "Moderation", "Joining", "Sign-in methods", "Default user settings"],
  ...["Default channels", "Domains", "Emoji", "Linkifiers", "Code playgrounds"],
  ...["Custom profile fields", "Webhooks"],
];
const OF_ADMINISTRATORS = [...OF_MEMBERS, "Data exports", "Audit log"];

const OF_OWNERS = [
  ...[...OF_MEMBERS, "Data exports", "Import", "Audit log"],
  ...["Server", "Deactivate the organization"],
];

interface OpenedSettings {
  pages: readonly string[];
  /** Visible buttons, by page. */
  buttons: Readonly<Record<string, readonly string[]>>;
  /** Buttons that only other roles see, by page. */
  not: Readonly<Record<string, readonly string[]>>;
}

/** Elements that pages always show when they have loaded. */
const PAGE_CONTENT: Readonly<Record<string, string>> = {
  people: ".org-person",
  emoji: ".empty-note",
  linkifiers: ".hint",
  fields: ".empty-note",
  domains: ".settings-fact",
  invitations: ".empty-note",
};

const STORIES: readonly (readonly [Name, OpenedSettings])[] = [
  [
    "gus",
    {
      pages: GUEST_PAGES,
      buttons: {},
      not: { emoji: ["Add emoji"], linkifiers: ["New linkifier"] },
    },
  ],
  [
    "bo",
    {
      pages: OF_MEMBERS,
      buttons: { people: ["Invite people"], emoji: ["Add emoji"] },
      not: {
        people: ["Actions for Cy Member", "Deactivated"],
        linkifiers: ["New linkifier"],
        fields: ["New field"],
        domains: ["Add"],
      },
    },
  ],
  [
    "mo",
    {
      pages: OF_MEMBERS,
      buttons: { people: ["Invite people"] },
      not: { people: ["Actions for Cy Member"], fields: ["New field"] },
    },
  ],
  [
    "ada",
    {
      pages: OF_ADMINISTRATORS,
      buttons: {
        people: ["Invite people", "Actions for Cy Member", "Role of Cy Member: Member"],
        linkifiers: ["New linkifier"],
        fields: ["New field"],
        invitations: ["Invite people"],
      },
      not: { people: ["Role of Olga Owner: Owner"], domains: ["Add"] },
    },
  ],
  [
    "olga",
    {
      pages: OF_OWNERS,
      buttons: { people: ["Actions for Olga Owner", "Actions for Ada Admin"], domains: ["Add"] },
      not: {},
    },
  ],
];

test.each(STORIES)(
  "%s sees only the pages and buttons of that role",
  async (name, visiblePages) => {
    const page = await pageOf(name, "profile");
    const links = page.locator(".settings-group").last().getByRole("link");
    await links.first().waitFor();
    expect(await links.allInnerTexts()).toEqual([...visiblePages.pages]);
    for (const address of new Set([
      ...Object.keys(visiblePages.buttons),
      ...Object.keys(visiblePages.not),
    ])) {
      await page.goto(`/#organization/${address}`);
      await page.locator(PAGE_CONTENT[address]!).first().waitFor();
      for (const item of visiblePages.buttons[address] ?? []) await button(page, item).waitFor();
      for (const item of visiblePages.not[address] ?? []) {
        expect([address, item, await button(page, item).count()]).toEqual([address, item, 0]);
      }
    }
    // The address of a page that the user may not see opens the page that everyone sees.
    if (visiblePages.pages.includes("Audit log")) return;
    await page.goto("/#organization/audit");
    await page.getByRole("heading", { name: "Organization profile" }).waitFor();
  },
);

test("the switcher lists the visible pages and no others", async () => {
  for (const [name, others] of [
    ["gus", ["Audit log", "Server", "Webhooks"]],
    ["olga", []],
  ] as const) {
    const { pages } = STORIES.find(([userName]) => userName === name)![1];
    const page = await pageOf(name, "emoji");
    await page.locator("body[data-whole]").waitFor();
    const [options, field] = [page.getByRole("option"), page.locator(".palette input")];
    const runPaletteCommand = async (message: string) => {
      await page.keyboard.press("Control+k");
      await field.fill(`>Organization ${message}`);
      await options.first().waitFor();
      return (await options.allInnerTexts()).filter((text) => text.includes(`→ ${message}`));
    };
    for (const textKey of others) {
      await page.keyboard.press("Control+k");
      await field.fill(`Organization → ${textKey}`);
      // The search for these words is listed last, so all other results are present.
      const below = options.filter({ hasText: `Search messages for “Organization → ${textKey}”` });
      await below.waitFor();
      expect(await options.filter({ hasText: `→ ${textKey}` }).count()).toBe(1);
      await page.keyboard.press("Escape");
      await field.waitFor({ state: "detached" });
    }
    for (const text of [pages.at(-1)!, pages[1]!]) {
      expect((await runPaletteCommand(text)).length).toBe(1);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 2, name: text, exact: true }).waitFor();
      await field.waitFor({ state: "detached" });
    }
  }
});

test("the switcher lists personal pages in the order of the settings", async () => {
  const page = await pageOf("bo", "emoji");
  const links = page.locator(".settings-group").first().getByRole("link");
  await links.first().waitFor();
  await page.locator("body[data-whole]").waitFor();
  for (const text of await links.allInnerTexts()) {
    await page.keyboard.press("Control+k");
    const field = page.locator(".palette input");
    await field.fill(`>Settings ${text}`);
    const option = page.getByRole("option").filter({ hasText: `Settings → ${text}` });
    await option.first().click();
    await page.getByRole("heading", { level: 2, name: text, exact: true }).waitFor();
    await field.waitFor({ state: "detached" });
  }
});

test("keeps a switcher open that the user opens as soon as another page appears", async () => {
  const page = await pageOf("bo", "emoji");
  const palette = page.locator(".palette input");
  // Loads the script of the switcher.
  await page.keyboard.press("Control+k");
  await palette.press("Escape");
  await palette.waitFor({ state: "detached" });
  // Presses the key before the next frame.
  await page.evaluate(() => {
    const main = document.querySelector("main")!;
    new MutationObserver((_, observer) => {
      if (main.querySelector("h2")?.textContent !== "Linkifiers") return;
      observer.disconnect();
      const press = { key: "k", code: "KeyK", ctrlKey: true, bubbles: true, cancelable: true };
      main.dispatchEvent(new KeyboardEvent("keydown", press));
    }).observe(main, { childList: true, subtree: true, characterData: true });
  });
  await page.getByRole("link", { name: "Linkifiers", exact: true }).click();
  await palette.waitFor();
  await page.evaluate(async () => {
    const nextFrame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    for (let frames = 0; frames < 3; frames += 1) await nextFrame();
  });
  expect(await palette.count()).toBe(1);
});

test("changes an outgoing webhook's URL; exports list consents", async () => {
  const created = {
    ...{ full_name: "Caller", short_name: "caller", bot_type: 3 },
    payload_url: JSON.stringify("https://example.com/one"),
  };
  await testServer.request("bo", "POST /bots", created);
  await testServer.request("bo", "PATCH /settings", { allow_private_data_export: true });
  const page = await pageOf("ada", "webhooks");
  const address = page.getByLabel("Endpoint URL Caller");
  await address.fill("nowhere");
  await address.press("Enter");
  await page.getByRole("alert").getByText("must begin with https:// or http://").waitFor();
  const description = page.locator(`#${await address.getAttribute("aria-describedby")}`);
  expect(await description.getAttribute("role")).toBe("alert");
  expect(await address.inputValue()).toBe("nowhere");
  await address.fill("https://example.com/two");
  await address.press("Enter");
  await page.locator(".settings-saved").waitFor();
  const other = await pageOf("cy", "webhooks");
  await other.getByText("Owner: Bo Member").waitFor();
  expect(await other.getByLabel("Endpoint URL Caller").count()).toBe(0);

  await page.goto("/#organization/exports");
  await page.getByText("1 of 6 users allow it.").waitFor();
  await page.locator(".org-many").getByText("Bo Member").waitFor();
});

test("lets only administrators change the default user settings", async () => {
  const isDisabled = async (name: Name) => {
    const page = await pageOf(name, "newcomers");
    const setting = page.locator(".pages-body select").first();
    await setting.waitFor();
    return setting.isDisabled();
  };
  expect(await isDisabled("bo")).toBe(true);
  expect(await isDisabled("ada")).toBe(false);
});

test("lets only an owner start a backup and run doctor", async () => {
  const to = mkdtempSync(join(tmpdir(), "skein-shown-"));
  const { config } = testServer.realm;
  const page = await pageOf("olga", "server");
  await page.getByText("No backup location is configured").waitFor();
  expect(await button(page, "Back up now").count()).toBe(0);
  config.backup = {
    ...{ to: { directory: to }, recipients: [], keep: DEFAULT_KEEP },
    ...{ at_minutes: 185, with_secrets: false },
  };
  await page.reload();
  await page.getByText(`Daily at 03:05, to ${to}.`).waitFor();
  await button(page, "Back up now").click();
  await page.locator(".org-row", { hasText: "complete" }).waitFor();
  await button(page, "Check now").click();
  await page.locator(".org-finding").first().waitFor();
  const faults = await faultsOf(page);
  rmSync(to, { recursive: true, force: true });
  expect(faults).toEqual([]);
});

test("deactivates the organization after its name was typed", async () => {
  const page = await pageOf("olga", "deactivate");
  await button(page, "Continue…").click();
  const end = page.getByRole("dialog").getByRole("button", { name: "Deactivate", exact: true });
  expect(await end.isDisabled()).toBe(true);
  await page.getByLabel("To confirm, type the organization’s name: Town").fill("Town");
  await page.getByLabel("Organization data").selectOption("30");
  await end.click();
  await page.waitForURL("**/login/**");
  expect((await testServer.refused("bo", "GET /users/me")).status).toBe(401);
});

test("other pages have no accessibility faults", async () => {
  await testServer.request("ada", "PATCH /realm", { name: "Larkspur" });
  const page = await pageOf("olga", "audit");
  const faults: string[] = [];
  const shown = {
    ...{ audit: ".org-act", exports: ".settings-fact", webhooks: ".org-copied" },
    deactivate: ".org-follows",
  };
  for (const [address, there] of Object.entries(shown)) {
    await page.goto(`/#organization/${address}`);
    await page.locator(there).first().waitFor();
    faults.push(
      ...(await accessibilityFaults(page, "html", TWO_LOOKS)).map(
        (fault) => `${address}  ${fault}`,
      ),
    );
  }
  expect(faults).toEqual([]);
});
