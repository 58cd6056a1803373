// The doctor at a browser: owners alone are told how the server is.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Name } from "../cast.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Browser, PASSWORD } from "../browser.ts";
import { openTown, type Town } from "../town.ts";

let town: Town;
beforeAll(async () => {
  town = await openTown();
  const hash = await hashPassword(PASSWORD);
  await town.realm.write((tx) => {
    for (const { user_id } of tx.users.range()) tx.passwords.put({ user_id, hash });
  });
});
afterAll(() => town.close());

test("who is no owner is told nothing, and no key opens it", async () => {
  for (const name of ["ada", "bo", "gus"] as Name[]) {
    const browser = new Browser(town);
    await browser.signIn(name);
    expect(await browser.refused("GET /doctor/")).toMatchObject({ code: "UNAUTHORIZED_PRINCIPAL" });
  }
  for (const name of ["olga", "bo", null] as (Name | null)[]) {
    expect((await town.send(name, "GET //json/doctor/")).status).toBe(401);
  }
});

test("an owner is told of each check, and what to do", async () => {
  const olga = new Browser(town);
  await olga.signIn("olga");
  const [quick, again] = await Promise.all([olga.ask("GET /doctor/"), olga.ask("GET /doctor/")]);
  const ids = quick.checks.map(({ id }: { id: string }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toContain("operations.backup");
  expect(ids).not.toContain("database.rows");
  expect(again.checks.map(({ id }: { id: string }) => id)).toEqual(ids);
  const [thorough, beside] = await Promise.all([
    olga.ask("GET /doctor/", { only: "database,security", quick: false }),
    olga.ask("GET /doctor/", { only: "database", quick: false }),
  ]);
  expect(beside.checks.map(({ id }: { id: string }) => id)).toContain("database.rows");
  expect(beside.checks.every(({ state }: { state: string }) => state === "ok")).toBe(true);
  expect(thorough.checks[0]).toMatchObject({ id: "database.writes", state: "ok", remedy: null });
  const rows = thorough.checks.find(({ id }: { id: string }) => id === "database.rows");
  expect(rows).toMatchObject({ state: "ok", is_mended: false });
  const refused = await olga.refused("GET /doctor/", { only: "weather" });
  expect(refused).toMatchObject({ code: "BAD_REQUEST" });
});

test("what nobody has thought of is asked in vain", async () => {
  const told = await town.send(null, `GET //.well-known/skein-check/${crypto.randomUUID()}`);
  expect(told.status).toBe(404);
});
