// Backups at a browser: owners alone see them and have one made, and nobody is handed one.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupsNotSet, backupUnderWay } from "../../src/contract/errors/realm.ts";
import { DEFAULT_KEEP } from "../../src/features/backup/rules.ts";
import { hashPassword } from "../../src/features/passwords/hash.ts";
import { Browser, PASSWORD } from "../browser.ts";
import type { Name } from "../cast.ts";
import { openTown, type Town } from "../town.ts";

let town: Town;
let to: string;
beforeAll(async () => {
  town = await openTown();
  to = mkdtempSync(join(tmpdir(), "skein-shown-"));
  const hash = await hashPassword(PASSWORD);
  await town.realm.write((tx) => {
    for (const { user_id } of tx.users.range()) tx.passwords.put({ user_id, hash });
  });
});
afterAll(async () => {
  await town.close();
  rmSync(to, { recursive: true, force: true });
});

async function at(name: Name): Promise<Browser> {
  const browser = new Browser(town);
  await browser.signIn(name);
  return browser;
}

test("who is no owner is told nothing and begins none, and no key opens it", async () => {
  for (const name of ["ada", "bo"] as Name[]) {
    const browser = await at(name);
    for (const line of ["GET /backups/", "POST /backups/"]) {
      expect(await browser.refused(line)).toMatchObject({ code: "UNAUTHORIZED_PRINCIPAL" });
    }
  }
  expect((await town.send("olga", "GET //json/backups/")).status).toBe(401);
  expect((await town.send("olga", "POST //json/backups/")).status).toBe(401);
});

test("an owner has one made where the operator has set a place, and sees how it went", async () => {
  const olga = await at("olga");
  const { config } = town.realm;
  delete config.backup;
  expect(await olga.ask("GET /backups/")).toMatchObject({ place: null, time: null, sets: [] });
  expect((await olga.refused("POST /backups/")).msg).toBe(backupsNotSet().message);
  config.backup = {
    ...{ to: { directory: to }, recipients: [], keep: DEFAULT_KEEP },
    ...{ at_minutes: 185, with_secrets: false },
  };
  await olga.ask("POST /backups/");
  expect((await olga.refused("POST /backups/")).msg).toBe(backupUnderWay().message);
  let seen = await olga.ask("GET /backups/");
  while (seen.drill === null) {
    await Bun.sleep(20);
    seen = await olga.ask("GET /backups/");
  }
  expect(seen).toMatchObject({ place: to, time: "03:05", is_running: false, failure: null });
  expect(seen.drill.is_good).toBe(true);
  expect(seen.sets).toHaveLength(1);
  expect(seen.sets[0]).toMatchObject({ id: seen.last.id, is_whole: true, is_encrypted: false });
  const { acts } = await olga.ask("GET /audit/", { act: "backup_made" });
  expect(acts[0]).toMatchObject({ via: "browser", actor_id: town.idOf("olga") });
});
