// Every view with hostile names: none of their scripts runs, and axe finds no violation.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { striped, upload } from "../features/upload-fixture.ts";
import { faultsOf } from "./axe.ts";
import type { BrowserSession } from "./browser-session.ts";
import { BrowserFixture } from "./browser-fixture.ts";

const TRAP = `<img src=x onerror="window.trapped=1">`;
const TOPIC = `<svg onload="window.trapped=1">`;
const CHANNEL = `<b onclick=trapped()>"x'`;

let fixture: BrowserFixture;
let browserSession: BrowserSession;
let page: Page;
let stream_id: number;
let message_id: number;
let picture_id: number;

beforeAll(async () => {
  fixture = await BrowserFixture.open();
  const { testServer } = fixture;
  const principals = [testServer.idOf("ada"), testServer.idOf("bo")];
  await testServer.request("ada", "POST /users/me/subscriptions", {
    subscriptions: [{ name: CHANNEL, description: `${TRAP} **said**` }],
    principals,
  });
  ({ stream_id } = await testServer.request("ada", "GET /get_stream_id", { stream: CHANNEL }));
  await testServer.request("bo", "PATCH /settings", { full_name: "Bo 'x' onerror=y" });
  await testServer.request("bo", "POST /users/me/status", { status_text: TRAP });
  const to = { type: "channel", to: stream_id, topic: TOPIC };
  const post = (content: string) => testServer.request("bo", "POST /messages", { ...to, content });
  const code = "```html\n<script>window.trapped=1</script>\n```";
  await post(`${code}\n\n| a | b |\n|--|--|\n| ${TRAP} | 2 |`);
  await post(`/poll ${TRAP}\n${TRAP}\nNo`);
  await post(`\`\`\`spoiler ${TRAP}\nx\n\`\`\``);
  const file = await upload(testServer, "bo", { name: `x"y'.png`, bytes: striped(300, 200) });
  ({ id: picture_id } = await post(`[${TRAP}](${file})`));
  ({ id: message_id } = await post(`@**Ada Admin** paper ${TRAP} [x](javascript:trapped)`));
  await testServer.request("bo", `PATCH /messages/${message_id}`, {
    content: `@**Ada Admin** grey paper ${TRAP} [x](javascript:trapped)`,
  });
  await testServer.request("bo", `POST /messages/${message_id}/reactions`, { emoji_name: "tada" });
  const direct = { type: "direct", to: [testServer.idOf("ada")], content: TRAP };
  await testServer.request("bo", "POST /messages", direct);
  await fillListsOf("ada", to);
  browserSession = await fixture.sessionOf("ada");
  page = await browserSession.tab("/#inbox");
  await page.emulateMedia({ reducedMotion: "reduce" });
});
afterAll(async () => {
  await fixture?.close();
});

async function fillListsOf(name: "ada", to: { to: number; topic: string }): Promise<void> {
  const { testServer } = fixture;
  const drafts = [
    { type: "stream", to: [to.to], topic: to.topic, content: TRAP, timestamp: 1_700_000_000 },
  ];
  await testServer.request(name, "POST /drafts", { drafts });
  const time = Math.floor(Date.now() / 1000) + 86_400;
  const later = { ...to, type: "channel", content: TRAP, scheduled_delivery_timestamp: time };
  await testServer.request(name, "POST /scheduled_messages", later);
  const reminder = { message_id, scheduled_delivery_timestamp: time, note: TRAP };
  await testServer.request(name, "POST /reminders", reminder);
  const star = { messages: [message_id, picture_id], op: "add", flag: "starred" };
  await testServer.request(name, "POST /messages/flags", star);
}

/** All rules for each layout; where only colors differ, only the contrast. */
const APPEARANCES = [
  { scheme: "light", forced: "none", width: 1360, only: undefined },
  { scheme: "dark", forced: "none", width: 1360, only: ["color-contrast"] },
  { scheme: "light", forced: "active", width: 1360, only: ["color-contrast"] },
  { scheme: "dark", forced: "none", width: 320, only: undefined },
] as const;

/** Checks the open page in every color scheme and size; where only colors differ, only a part. */
async function isValid(name: string, within = "html", colored = within): Promise<string[]> {
  const faults: string[] = [];
  for (const { scheme, forced, width, only } of APPEARANCES) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: scheme, forcedColors: forced });
    const violations = await faultsOf(page, only, only ? colored : within);
    faults.push(...violations.map((fault) => `${name}, ${scheme} ${forced} ${width}: ${fault}`));
  }
  await page.setViewportSize({ width: 1360, height: 800 });
  await page.emulateMedia({ colorScheme: "light", forcedColors: "none" });
  return faults;
}

/** Each address, with an element that is present once the view has loaded. */
const views = (): readonly (readonly [string, string])[] => {
  const channel = `channel/${stream_id}-x`;
  const topic = encodeURIComponent(TOPIC).replaceAll(".", "%2E").replaceAll("%", ".");
  return [
    ["#inbox", ".list-row"],
    ["#recent", ".list-row"],
    ["#feed", ".msg"],
    ["#narrow/is/mentioned", ".msg"],
    ["#narrow/is/starred", ".msg"],
    ["#drafts", ".list-row"],
    ["#scheduled", ".list-row"],
    ["#reminders", ".list-row"],
    [`#narrow/${channel}`, ".msg"],
    [`#topics/${channel}`, ".list-row"],
    [`#narrow/dm/${fixture.testServer.idOf("bo")}-x`, ".msg"],
    ["#narrow/search/paper", ".msg"],
    ["#narrow/search/nothing.20like.20it", ".end-of"],
    ["#settings/preferences", "h1"],
    ["#settings/device", "h1"],
    ["#settings/notifications", ".notifications-try"],
    ["#keyboard-shortcuts", ".shortcuts"],
    [`#narrow/${channel}/topic/${topic}`, ".msg"],
  ];
};

/** Views whose row in the sidebar is the current one: the sidebar has no other colors elsewhere. */
const IN_SIDEBAR = /^#(inbox$|narrow\/(dm|channel\/\d+-x\/topic)\/)/;

/** Layers that open over a message or over any view, by key. */
const LAYER = ":is(.pop, .dialog, [role=dialog], [role=listbox])";
const LAYER_KEYS = ["i", ":", "u", "m", "H", "V", "<", "Control+k", "/"] as const;

/** All emoji have the same markup, and `emoji-picker.test.ts` checks the complete list. */
async function findFewEmoji(): Promise<void> {
  await page.locator(".emoji-pop input").fill("heart");
  await page.locator("[data-section=found]").waitFor();
}

test("no view has a fault in any look, and hostile content does nothing", async () => {
  const faults: string[] = [];
  for (const [address, character] of views()) {
    await page.goto(`${browserSession.url}/${address}`);
    await page.locator(character).first().waitFor();
    const hasOwnRow = IN_SIDEBAR.test(address);
    faults.push(...(await isValid(address, "html", hasOwnRow ? "html" : "main")));
  }
  for (const key of LAYER_KEYS) {
    await page.locator(`#m${message_id}`).focus();
    await page.keyboard.press(key);
    await page.locator(`${LAYER}:not(:has([aria-busy=true]))`).first().waitFor();
    if (key === ":") await findFewEmoji();
    faults.push(...(await isValid(key, LAYER)));
    await page.keyboard.press("Escape");
  }
  await page.locator(`#m${picture_id}`).focus();
  await page.keyboard.press("v");
  await page.locator(".lightbox figure img").waitFor();
  faults.push(...(await isValid("lightbox", ".lightbox")));
  await page.keyboard.press("Escape");
  await page.locator("form textarea:enabled").fill("Hello @bo");
  await page.locator("[role=option]").first().waitFor();
  faults.push(...(await isValid("composer")));
  expect(faults).toEqual([]);
  expect(await page.evaluate(() => (window as { trapped?: number }).trapped)).toBeUndefined();
  expect(browserSession.faults).toEqual([]);
});
