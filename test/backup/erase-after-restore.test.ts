// A restore of an older backup erases the users again who were erased since.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { deactivateWithBots } from "../../src/features/accounts/activation.ts";
import { eraseProfile } from "../../src/features/accounts/erase.ts";
import { startTestServer, type TestServer } from "../test-server.ts";
import { withRealm } from "../moving/random-organization.ts";
import { backUpTo, restoreInto, scratch, tryRestore } from "./backup-fixture.ts";

let testServer: TestServer;

beforeEach(async () => {
  testServer = await startTestServer();
});
afterEach(() => testServer.close());

const erase = (name: "bo" | "cy") =>
  testServer.realm.write((tx) => {
    const user_id = testServer.idOf(name);
    deactivateWithBots(tx, tx.users.get(user_id)!);
    eraseProfile(tx, user_id);
  });

const usersIn = (data: string) =>
  withRealm(data, ({ read }) => {
    const describeUser = (name: "bo" | "cy" | "ada") => {
      const { full_name, is_active, is_deleted } = read.users.get(testServer.idOf(name))!;
      return `${full_name} ${is_active} ${is_deleted === true}`;
    };
    return [describeUser("bo"), describeUser("cy"), describeUser("ada")];
  });

const ERASED = "Deleted user false true";
const ADA = "Ada Admin true false";

test("a restore of an older set applies the erasures that newer sets know", async () => {
  const to = scratch();
  const first = await backUpTo(testServer, to);
  await erase("bo");
  await backUpTo(testServer, to);
  await erase("cy");
  // The newest set was made before Cy was erased, and the oldest before Bo was erased.
  const oldest = await restoreInto(to, "--set", first.id);
  expect(await usersIn(oldest)).toEqual([ERASED, "Cy Member true false", ADA]);
  await backUpTo(testServer, to);
  const destination = `${scratch()}/data`;
  const result = await tryRestore(to, destination, "--set", first.id);
  expect(result.out).toContain(`Erased user ${testServer.idOf("bo")} again`);
  expect(result.out).toContain(`Erased user ${testServer.idOf("cy")} again`);
  expect(await usersIn(destination)).toEqual([ERASED, ERASED, ADA]);
});
