// A closed organization is deleted completely when it is due, and nothing else is touched.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hostUnknown, Refusal } from "../../src/contract/errors/general.ts";
import { deletionStarted, realmDeactivated } from "../../src/contract/errors/realm.ts";
import { organizationDeactivatedEmail } from "../../src/features/mail/account-emails.ts";
import { reactivateOrganization } from "../../src/features/organization/deactivate.ts";
import { DELETION_DAYS_MAX, DELETION_DAYS_MIN } from "../../src/features/realm/rules.ts";
import { ENGLISH } from "../../src/features/i18n/translations.ts";
import { openBucket } from "../s3-server.ts";
import { type TwoOrganizations, EAST, startTwoOrganizations, WEST } from "../two-organizations.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { read, striped, upload } from "./upload-fixture.ts";
import { until } from "../wait-until.ts";

const DAY_SECONDS = 86_400;
const PICTURE = { name: "plan.png", bytes: striped(64, 64), type: "image/png" };

let twoOrganizations: TwoOrganizations;
let east: TestServer;
let west: TestServer;
let house: string;

async function open(options: Parameters<typeof startTwoOrganizations>[0] = {}): Promise<void> {
  twoOrganizations = await startTwoOrganizations(options);
  ({ east, west } = twoOrganizations);
  house = join(east.directory, "east");
}

beforeEach(() => open());
afterEach(() => twoOrganizations.close());

const close = (testServer: TestServer, days: number | null) =>
  testServer.request("olga", "POST /realm/deactivate", { deletion_delay_days: days });

/** Returns the response to users of the deleted organization. */
const readState = async () => {
  const { status, body } = await twoOrganizations.request(EAST, "/api/v1/users/me");
  return [status, body.code];
};

/** A failed deletion is retried as time passes. */
async function untilDeleted(): Promise<void> {
  while ((await readState())[0] !== 404 || readdirSync(house).includes("data.mdb")) {
    east.clock.passSeconds(60);
    east.realm.onDue();
    await Bun.sleep(1);
  }
}

/** Runs everything that is due at this time. */
async function runDueJobs(testServer: TestServer): Promise<void> {
  testServer.realm.onDue();
  const isDue = () =>
    [...testServer.realm.read.due.range()].some(({ at: time }) => time <= testServer.clock.now());
  await until(() => !isDue());
}

test("returns the allowed range of days for a deletion", async () => {
  const state = await east.request("olga", "POST /register");
  expect(state.server_min_deactivated_realm_deletion_days).toBe(DELETION_DAYS_MIN);
  expect(state.server_max_deactivated_realm_deletion_days).toBe(DELETION_DAYS_MAX);
});

test("deletes the database and files after the days are over, and frees the host", async () => {
  await upload(east, "bo", PICTURE);
  const stored = await upload(west, "bo", PICTURE);
  writeFileSync(join(house, "notes.txt"), "the operator's own");
  await close(east, DELETION_DAYS_MIN);
  east.clock.passSeconds(DELETION_DAYS_MIN * DAY_SECONDS - 60);
  await runDueJobs(east);
  expect(await readState()).toEqual([401, "UNAUTHORIZED"]);
  expect(readdirSync(join(house, "uploads"))).toContain("files");
  for (const folder of ["external", "quarantine"]) mkdirSync(join(house, folder));

  east.clock.passSeconds(60);
  await untilDeleted();
  expect(await readState()).toEqual([404, hostUnknown().errCode]);
  expect((await twoOrganizations.request(EAST, "/login/")).status).toBe(404);
  expect(readdirSync(house).sort()).toEqual(["deleted", "lock", "notes.txt", "uploads"]);
  expect(readdirSync(join(house, "uploads"))).toEqual([]);
  expect(readFileSync(join(house, "deleted"), "utf8")).toContain("was deleted at");

  const response = await fetch(twoOrganizations.url + stored, {
    headers: { Host: WEST, Authorization: west.basicAuthorization("bo") },
  });
  expect(response.status).toBe(200);
  expect((await twoOrganizations.request(WEST, "/readyz")).status).toBe(200);
});

test("serves the others after a restart, and does not set up the deleted one again", async () => {
  await close(east, DELETION_DAYS_MIN);
  east.clock.passSeconds(DELETION_DAYS_MIN * DAY_SECONDS);
  await untilDeleted();
  await twoOrganizations.restart();
  expect(twoOrganizations.erasedOrganizations).toEqual([house]);
  expect(await readState()).toEqual([404, hostUnknown().errCode]);
  const me = { Authorization: west.basicAuthorization("bo") };
  expect((await twoOrganizations.request(WEST, "/api/v1/users/me", me)).body.full_name).toBe(
    "Bo Member",
  );
});

test("notifies the owners by email of the deletion, or that the data is kept", async () => {
  const deactivationEmailText = () => {
    const olga = east.idOf("olga");
    return JSON.stringify(organizationDeactivatedEmail(east.realm, olga, olga));
  };
  await close(east, DELETION_DAYS_MIN);
  const day = ENGLISH.day(east.clock.now() / 1000 + DELETION_DAYS_MIN * DAY_SECONDS);
  expect(deactivationEmailText()).toContain(`All of its data will be deleted on ${day}.`);
  await east.realm.write(reactivateOrganization);
  await close(east, null);
  expect(deactivationEmailText()).toContain("Its data is kept.");
});

test("keeps the data without a date, or if it is reactivated before", async () => {
  await close(east, null);
  east.clock.passSeconds(1_000 * DAY_SECONDS);
  await runDueJobs(east);
  expect(await readState()).toEqual([401, "UNAUTHORIZED"]);
  await east.realm.write(reactivateOrganization);
  await close(east, 20);
  east.clock.passSeconds(19 * DAY_SECONDS);
  await east.realm.write(reactivateOrganization);
  await close(east, 30);
  east.clock.passSeconds(2 * DAY_SECONDS);
  await runDueJobs(east);
  expect(await readState()).toEqual([401, "UNAUTHORIZED"]);
  await east.realm.write(reactivateOrganization);
  east.clock.passSeconds(100 * DAY_SECONDS);
  await runDueJobs(east);
  expect(await east.request("bo", "GET /users/me")).toMatchObject({ full_name: "Bo Member" });
});

test("rejects reactivation after the deletion has started", async () => {
  await close(east, DELETION_DAYS_MIN);
  east.clock.passSeconds(DELETION_DAYS_MIN * DAY_SECONDS);
  const reactivation = east.realm.write(reactivateOrganization);
  const error: unknown = await reactivation.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Refusal);
  expect((error as Refusal).message).toBe(deletionStarted().message);
});

test("completes a deletion at the next start after a crash amid it", async () => {
  await upload(east, "bo", PICTURE);
  await close(east, DELETION_DAYS_MIN);
  east.realm.onEnd = () => {};
  east.clock.passSeconds(DELETION_DAYS_MIN * DAY_SECONDS);
  await runDueJobs(east);
  expect(readdirSync(join(house, "uploads"))).toEqual([]);
  expect(await readState()).toEqual([401, "UNAUTHORIZED"]);
  await twoOrganizations.restart();
  await untilDeleted();
  expect(readdirSync(house)).not.toContain("secrets");
});

test("keeps the database after a crash between the mark and its deletion", async () => {
  await close(east, DELETION_DAYS_MIN);
  writeFileSync(join(house, "deleted"), "");
  await twoOrganizations.restart();
  expect(await readState()).toEqual([401, "UNAUTHORIZED"]);
  expect(readdirSync(house)).not.toContain("deleted");
  east.clock.passSeconds(DELETION_DAYS_MIN * DAY_SECONDS);
  await untilDeleted();
});

test("deletes files on another disk, but not neighbors or link targets", async () => {
  const disk = join(east.directory, "disk");
  const foreign = join(east.directory, "foreign");
  for (const folder of [join(disk, "east"), foreign]) mkdirSync(folder, { recursive: true });
  for (const folder of [disk, foreign]) writeFileSync(join(folder, "mine"), "mine");
  symlinkSync(join(disk, "east"), join(house, "uploads"));
  await upload(east, "bo", PICTURE);
  symlinkSync(foreign, join(disk, "east", "link"));
  await close(east, DELETION_DAYS_MIN);
  east.clock.passSeconds(DELETION_DAYS_MIN * DAY_SECONDS);
  await untilDeleted();
  expect(readdirSync(join(disk, "east"))).toEqual([]);
  expect([readdirSync(disk).sort(), readdirSync(foreign)]).toEqual([["east", "mine"], ["mine"]]);
});

test("deletes its own objects in a bucket, however often the bucket fails", async () => {
  const bucket = await openBucket();
  await twoOrganizations.close();
  await open({ bucket: bucket.config });
  await upload(east, "bo", PICTURE);
  await upload(west, "bo", PICTURE);
  const uuid = (testServer: TestServer) => testServer.realm.read.realm.get(1)!.realm_uuid;
  const [removed, remaining] = [`${uuid(east)}/`, `${uuid(west)}/`];
  await close(east, DELETION_DAYS_MIN);
  const hasRemovedKeys = async () => (await bucket.keys()).some((key) => key.startsWith(removed));
  let failures = 0;
  bucket.shouldFail = (method) => method === "DELETE" && failures++ < 3;
  east.clock.passSeconds(DELETION_DAYS_MIN * DAY_SECONDS);
  while (failures < 3) {
    expect(await readState()).toEqual([401, "UNAUTHORIZED"]);
    expect(await hasRemovedKeys()).toBe(true);
    east.clock.passSeconds(3_600);
    east.realm.onDue();
    await Bun.sleep(1);
  }
  await untilDeleted();
  expect(await hasRemovedKeys()).toBe(false);
  expect((await bucket.keys()).some((key) => key.startsWith(remaining))).toBe(true);
  await bucket.close();
});

test("allows another organization to be set up where it was the only one", async () => {
  const come = Promise.withResolvers<void>();
  const testServer = await startTestServer(
    {},
    { organizations: [], onCome: async () => come.resolve() },
  );
  const url = await upload(testServer, "bo", PICTURE);
  const { message: msg } = realmDeactivated();
  await close(testServer, DELETION_DAYS_MIN);
  expect((await testServer.refused("bo", "GET /users/me")).msg).toBe(msg);
  testServer.clock.passSeconds(DELETION_DAYS_MIN * DAY_SECONDS);
  testServer.realm.onDue();
  await come.promise;
  const page = await fetch(`${testServer.url}/login/`);
  expect([page.status, await page.text()]).toEqual([
    410,
    expect.stringContaining("No organization yet"),
  ]);
  expect((await testServer.send("bo", "GET /users/me")).status).toBe(401);
  await testServer.populate();
  expect(await testServer.request("bo", "GET /users/me")).toMatchObject({ full_name: "Bo Member" });
  expect((await read(testServer, "bo", url)).status).toBe(404);
  await testServer.restart();
  expect(await testServer.request("bo", "GET /users/me")).toMatchObject({ full_name: "Bo Member" });
  await testServer.close();
});
