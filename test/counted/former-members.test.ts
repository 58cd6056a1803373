// Limits how often the mentions of a group are read when members leave it.
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { createUser } from "../../src/features/accounts/actions.ts";
import { startTestServer, type TestServer } from "../test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("reads the mentions of a group once for all members who leave it", async () => {
  const [few, many] = [await createMentionedGroup(3), await createMentionedGroup(60)];
  expect(await readsToLeave(many)).toBe(await readsToLeave(few));
});

interface MentionedGroup {
  readonly group_id: number;
  readonly members: readonly number[];
}

async function createMentionedGroup(size: number): Promise<MentionedGroup> {
  const users = await server.realm.write((tx) =>
    Array.from({ length: size }, (_, index) => {
      const email = `member-${index}-of-${size}@example.com`;
      return createUser(tx, { email, full_name: `Member ${index}`, role: 400 });
    }),
  );
  const members = users.map(({ user_id }) => user_id);
  const fields = { name: `group of ${size}`, description: "", members };
  const { group_id } = await server.request("ada", "POST /user_groups/create", fields);
  const content = `@*group of ${size}* lunch is ready`;
  const message = { type: "channel", to: "general", topic: "lunch", content };
  await server.request("ada", "POST /messages", message);
  return { group_id, members };
}

async function readsToLeave({ group_id, members }: MentionedGroup): Promise<number> {
  const { one } = await server.realm.write((tx) => ({ one: spyOn(tx.group_mentions, "one") }));
  await server.request("ada", `POST /user_groups/${group_id}/members`, { delete: members });
  const reads = one.mock.calls.length;
  one.mockRestore();
  return reads;
}
