// Signing in by a link that works once, on the server's own machine.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { signInLinkGone } from "../../src/contract/errors/people.ts";
import { signInLink } from "../../src/features/sign-in/link.ts";
import { Browser } from "../browser.ts";
import { openTown, type Town } from "../town.ts";

let town: Town;
let path: string;

beforeEach(async () => {
  town = await openTown();
  const bo = town.realm.read.users.get(town.idOf("bo"))!;
  const link = await town.realm.write((tx) => signInLink(tx, bo));
  path = new URL(link).pathname;
});
afterEach(() => town?.close());

const refused = { status: 410, refusal: signInLinkGone().message, location: null };

test("it lets its person in, once", async () => {
  const browser = new Browser(town);
  expect(await browser.open(path)).toMatchObject({ status: 302, location: "/" });
  expect(await browser.ask("GET /users/me")).toMatchObject({ user_id: town.idOf("bo") });
  expect(await new Browser(town).open(path)).toMatchObject(refused);
  expect((await town.send(null, "GET //accounts/login/link/no-such/")).status).toBe(410);
});

test("it is nothing from another machine, and stays good here", async () => {
  const far = new Browser(town, { "X-Forwarded-For": "198.51.100.7" });
  expect(await far.open(path)).toMatchObject(refused);
  expect(far.cookies.has("sessionid")).toBe(false);
  expect((await new Browser(town).open(path)).location).toBe("/");
});

test("what another page loads does not use it up", async () => {
  const loaded = { "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" };
  expect((await new Browser(town).send("GET", path, undefined, loaded)).status).toBe(403);
  expect((await new Browser(town).open(path)).location).toBe("/");
});
