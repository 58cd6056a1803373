// What somebody sees who types an address into a browser, and what browsers ask for by themselves.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTown, type Town } from "../town.ts";
import { read } from "./uploading.ts";

let town: Town;
beforeAll(async () => void (town = await openTown()));
afterAll(() => town.close());

const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const look = (path: string, method = "GET") => read(town, null, path, HTML, method);

test("an address that is none is a page to browsers, and JSON to programs", async () => {
  for (const path of ["/nothing", "/nothing/at/all", "/assets/none.js", "/apis", "//x"]) {
    const answer = await look(path);
    expect([path, answer.status, answer.headers.get("content-type")]).toEqual([
      ...[path, 404, "text/html; charset=utf-8"],
    ]);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await answer.text()).toContain('<a class="button first" href="/">');
  }
  expect((await look("/nothing", "HEAD")).status).toBe(404);
  const asked = [
    read(town, null, "/nothing"),
    read(town, null, "/nothing", { Accept: "application/json, text/html" }),
    look("/api/v1/nothing"),
    look("/json/nothing"),
    look("/nothing", "POST"),
  ];
  for (const answer of await Promise.all(asked)) {
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ result: "error", msg: "Not Found" });
  }
});

test("a page is found without its slash", async () => {
  for (const [path, location] of [
    ["/login", "/login/"],
    ["/login?next=%2Fx", "/login/?next=%2Fx"],
    ["/accounts/password/reset", "/accounts/password/reset/"],
    ["//accounts//login", "/accounts/login/"],
  ] as const) {
    const { status, headers } = await look(path);
    expect([path, status, headers.get("location")]).toEqual([path, 302, location]);
  }
  expect((await look("/login", "POST")).status).toBe(404);
  expect((await look("/api/v1/tus")).status).toBe(404);
});

test("there is a sign of the site, and crawlers are told to stay away", async () => {
  const sign = await town.send(null, "GET //favicon.ico");
  expect(sign.headers.get("content-type")).toBe("image/png");
  const robots = await town.send(null, "GET //robots.txt");
  expect(robots.headers.get("content-type")).toStartWith("text/plain");
  expect(await robots.text()).toBe("User-agent: *\nDisallow: /\n");
});
