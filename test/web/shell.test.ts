// The page that starts the client: same for everyone, cached, and without inline code.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { fromSource } from "../../src/assets/checkout.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { until } from "../wait-until.ts";
import { openBrowser, BrowserSession, withWorkers } from "./browser-session.ts";

withWorkers();

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(async () => {
  await testServer?.close();
});

test("the shell starts without CSP violations", async () => {
  const browserSession = await BrowserSession.of(testServer, "bo");
  const page = await browserSession.tab();
  await page.locator("main").waitFor();
  expect(browserSession.faults).toEqual([]);
});

test("loads nothing for the next start before the first view", async () => {
  const browserSession = await BrowserSession.of(testServer, "bo");
  const page = await browserSession.context.newPage();
  await page.addInitScript(() => {
    // Disables the timeout after which the client stops waiting for a slow view.
    const wait = window.setTimeout;
    window.setTimeout = ((action: () => void, ms?: number) =>
      ms === 3000 ? 0 : wait(action, ms)) as typeof setTimeout;
  });
  const response = Promise.withResolvers<void>();
  await page.route("**/json/register", async (route) => {
    await response.promise;
    await route.continue();
  });
  const hasWorker = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined);
  // For the browser the page is loaded, although the first view still waits.
  await page.goto("/", { waitUntil: "load" });
  await page.locator("body > *").first().waitFor({ state: "attached" });
  expect(await hasWorker()).toBe(false);
  response.resolve();
  await page.locator("main").waitFor();
  await until(hasWorker);
});

test("explains that scripts are needed, and links to the apps", async () => {
  const browser = await openBrowser();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(testServer.url);
  const locator = page.locator("noscript p");
  await locator.waitFor();
  const { x, y } = (await locator.boundingBox())!;
  expect(Math.min(x, y)).toBeGreaterThanOrEqual(16);
  const link = locator.getByRole("link");
  // The link is underlined, so that users recognize it.
  expect(await link.evaluate((node) => getComputedStyle(node).textDecorationLine)).toBe(
    "underline",
  );
  await link.click();
  await page.getByRole("heading", { name: "Mobile and other apps" }).waitFor();
  await context.close();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(testServer.url + path, { headers, redirect: "manual" });

test("the shell is the same for everyone, and is revalidated", async () => {
  const [line, own] = [testServer.send(null, "GET //"), testServer.send("bo", "GET //")];
  const [unexpected, expected] = await Promise.all([line, own]);
  expect(await unexpected.text()).toBe(await expected.text());
  const { headers } = unexpected;
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("cache-control")).toBe("no-cache");
  expect(headers.get("set-cookie")).toBeNull();
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  const policy = headers.get("content-security-policy")!;
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types skein dompurify");
  expect(policy).not.toContain("unsafe");
  const repeated = await get("/", { "If-None-Match": headers.get("etag")! });
  expect(repeated.status).toBe(304);
  const linked = await testServer.send(null, "GET //m/12");
  expect(linked.headers.get("etag")).toBe(headers.get("etag"));
});

test("the shell has no inline code, and its files are immutable", async () => {
  const html = await (await get("/")).text();
  expect(html).not.toMatch(/<style|style=|<script(?! type="module" src=")| on\w+=/);
  const assets = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!);
  expect(assets.length).toBeGreaterThan(2);
  for (const path of assets) {
    const { status, headers } = await testServer.send(null, `GET /${path}`);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  }
  expect((await testServer.send(null, "GET //assets/nothing-1.js")).status).toBe(404);
});

test("workers and the manifest are revalidated", async () => {
  for (const line of [
    ...["GET //sw.js", "GET //poll.js", "GET //signed-out.js", "GET //manifest.webmanifest"],
  ]) {
    const { status, headers } = await testServer.send(null, line);
    expect([status, headers.get("cache-control")]).toEqual([200, "no-cache"]);
  }
  const { icons } = (await (await get("/manifest.webmanifest")).json()) as {
    icons: { src: string }[];
  };
  for (const { src } of icons)
    expect((await get(src)).headers.get("content-type")).toContain("svg");
  // Some phones show no SVG on the home screen, so there is also a PNG icon.
  const shell = await (await get("/")).text();
  const [, touched] = shell.match(/<link rel="apple-touch-icon" href="([^"]+)">/)!;
  const picture = await get(touched!);
  expect(picture.headers.get("content-type")).toBe("image/png");
  expect(await new Bun.Image(await picture.bytes()).metadata()).toMatchObject({
    width: 180,
    height: 180,
  });
});

test("a checkout builds its own client without minification", async () => {
  const own = fromSource();
  const textAt = async (path: string) =>
    new TextDecoder().decode((await own.fileAt(path))!.bytes("identity"));
  const [, boot] = (await textAt("/")).match(/<script type="module" src="([^"]+)"/)!;
  const served = await (await get("/")).text();
  expect(served).not.toContain(boot!);
  expect((await textAt(boot!)).split("\n").length).toBeGreaterThan(1000);
});
