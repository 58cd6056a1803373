// Addresses of imported users: from the archive, from the operator, or missing.
import { expect, test } from "bun:test";
import { discordEntries } from "./discord-fixture.ts";
import { lossesOf, openServer, run, zipIn } from "./import-fixture.ts";
import { BO, OLGA, slackEntries, USERS } from "./slack-fixture.ts";

const withUsers = (users: readonly object[]) =>
  slackEntries([{ name: "users.json", bytes: JSON.stringify(users) }]);

const twin = (id: string, deleted: boolean) => ({
  ...{ id, team_id: "T0TEAM", name: id, deleted },
  profile: { real_name: `User ${id}`, email: "twin@example.com" },
});

test.each([[true], [false]])("gives a shared address to the active user (%p)", async (isFirst) => {
  const testServer = await openServer();
  const twins = [twin("U0LEFT", true), twin("U0HERE", false)];
  const users = isFirst ? twins.toReversed() : twins;
  const report = await run(testServer, zipIn(testServer, withUsers([...USERS, ...users])));
  const sameAddress = "Two users have the same address: the second account is a placeholder.";
  const { examples } = report.losses.find(({ kind }) => kind === sameAddress)!;
  expect(examples).toContainEqual(`users.json#${isFirst ? 8 : 7} (twin@example.com)`);
  const user = testServer.realm.read.users.findBy("email", "twin@example.com");
  expect(user).toMatchObject({ full_name: "User U0HERE", is_active: true });
});

const UNUSED = "A row of --people has the id or address of no user in the archive.";
const EARLIER =
  "A user was imported earlier without an address: undo that import first, to give the address.";

test("reports addresses for users who were imported without one, and unused rows", async () => {
  const testServer = await openServer();
  const nameless = USERS.map((user) => ({ ...user, profile: { ...user.profile, email: "" } }));
  const from = zipIn(testServer, withUsers(nameless));
  expect(lossesOf(await run(testServer, from))).not.toContain(EARLIER);
  const people = [
    [BO, "bo@example.com"],
    [OLGA, "olga@example.com"],
    ["NOBODY", "nobody@example.com"],
  ];
  const report = await run(testServer, from, { people });
  expect(report).toMatchObject({ outcome: "imported", exit: 3, written: {} });
  expect(report.losses).toContainEqual({
    ...{ kind: EARLIER, count: 2 },
    examples: [`${OLGA} (olga@example.com)`, `${BO} (bo@example.com)`],
  });
  const unused = { kind: UNUSED, count: 1, examples: ["--people, row 3: NOBODY"] };
  expect(report.losses).toContainEqual(unused);
});

test("finds users of other products also without the U: of their ids", async () => {
  const testServer = await openServer();
  const people = [
    ["11", "olga@example.com"],
    ["U:12", "bo@example.com"],
  ];
  const report = await run(testServer, zipIn(testServer, discordEntries()), { people });
  expect(lossesOf(report)).not.toContain(UNUSED);
  const { read } = testServer.realm;
  const keys = [...read.imported.range()].filter(({ table }) => table === "matched users");
  expect(keys.map(({ source_key }) => source_key)).toEqual(["U:11", "U:12"]);
});
