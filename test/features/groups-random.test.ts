// Random group changes: clients stay in sync, and a mention reaches those who were members.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Name } from "../users.ts";
import { countOf } from "../repetitions.ts";
import { staysInSync } from "../sync.ts";
import { type Json, startTestServer, type TestServer } from "../test-server.ts";

const SEED = 7;
const STEPS = countOf("groups");
const GROUPS = 4;
const PEOPLE: Name[] = ["mo", "bo", "cy", "gus"];

let testServer: TestServer;
beforeAll(async () => {
  testServer = await startTestServer();
});
afterAll(() => testServer.close());

/** Numbers from 0 to below `n`, the same in every run. */
function randomSource(seed: number) {
  let state = seed;
  return (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

class RandomRun {
  readonly roll = randomSource(SEED);
  readonly groups: number[] = [];
  /** Members of the mentioned group at the time of each message. */
  readonly expectedMembers = new Map<number, Set<number>>();

  async setUp(): Promise<void> {
    for (let index = 0; index < GROUPS; index++) {
      const subgroups = this.groups.slice(0, index % 2);
      const input = { name: `life ${index}`, description: "", members: [], subgroups };
      const { group_id } = await testServer.request("olga", "POST /user_groups/create", input);
      this.groups.push(group_id);
      const hiddenChannel = { name: `cave ${index}`, subscribers: [], invite_only: true };
      const setting = index % 2 === 0 ? "can_subscribe_group" : "can_administer_channel_group";
      await testServer.request("olga", "POST /channels/create", {
        ...hiddenChannel,
        [setting]: group_id,
      });
    }
    await testServer.request("olga", "POST /users/me/subscriptions", {
      subscriptions: [{ name: "general" }],
      principals: [testServer.idOf("gus")],
    });
  }

  async step(): Promise<void> {
    const index = this.roll(GROUPS);
    const id = this.groups[index]!;
    const user_id = testServer.idOf(PEOPLE[this.roll(PEOPLE.length)]!);
    const [members, subgroups] = ["members", "subgroups"].map(
      (of) => `POST /user_groups/${id}/${of}`,
    );
    switch (this.roll(6)) {
      case 0:
      case 1: {
        const isIncluded = testServer.realm.read.group_members.has(id, user_id);
        return this.request(members!, { [isIncluded ? "delete" : "add"]: [user_id] });
      }
      case 2: {
        const other = this.groups[this.roll(GROUPS)]!;
        const isIncluded = testServer.realm.read.groups
          .get(id)!
          .direct_subgroup_ids.includes(other);
        const change = { [isIncluded ? "delete" : "add"]: [other] };
        return this.request(subgroups!, change);
      }
      case 3: {
        const role = testServer.realm.read.groups.findBy("name", "role:moderators")!.id;
        const isIncluded = testServer.realm.read.groups.get(id)!.direct_subgroup_ids.includes(role);
        return this.request(members!, {
          [isIncluded ? "delete_subgroups" : "add_subgroups"]: [role],
        });
      }
      case 4:
        return this.request(`PATCH /users/${user_id}`, { role: [300, 400][this.roll(2)] });
      default:
        return this.mention(index);
    }
  }

  /** A change that would create a cycle is rejected and changes nothing. */
  private async request(line: string, params: Json): Promise<void> {
    const response = await testServer.send("olga", line, params);
    if (!response.ok)
      expect(((await response.json()) as Json).msg).toContain("already a subgroup of one");
  }

  private async mention(index: number): Promise<void> {
    const { user_groups } = await testServer.request("olga", "GET /user_groups");
    const members = membersOf(user_groups, this.groups[index]!);
    const content = `@*life ${index}*`;
    const to = { type: "stream", to: "general", topic: "lives" };
    const { id } = await testServer.request("olga", "POST /messages", { ...to, content });
    this.expectedMembers.set(id, new Set(members));
  }
}

/** Computed from the client's state each time. */
function membersOf(groups: Json[], id: number): number[] {
  const { members, direct_subgroup_ids } = groups.find((group) => group.id === id);
  const below: number[] = direct_subgroup_ids;
  return [...members, ...below.flatMap((subgroup) => membersOf(groups, subgroup))];
}

test("keeps clients consistent during random group changes, and mentions unchanged", async () => {
  const lives = new RandomRun();
  await lives.setUp();
  for (let step = 0; step < STEPS; step++)
    await staysInSync(testServer, PEOPLE, () => lives.step());
  expect(lives.expectedMembers.size).toBeGreaterThan(Math.min(3, STEPS / 10));
  for (const name of PEOPLE) {
    const params = { anchor: "newest", num_before: STEPS, num_after: 0 };
    const { messages } = await testServer.request(name, "GET /messages", params);
    const narrow = [{ operator: "is", operand: "mentioned" }];
    const response = await testServer.request(name, "GET /messages", { ...params, narrow });
    const idsOf = (list: Json[]) => list.map((message) => message.id);
    const flagged = messages.filter(({ flags }: Json) => flags.includes("mentioned"));
    const expected = [...lives.expectedMembers].filter(([, people]) =>
      people.has(testServer.idOf(name)),
    );
    expect({ name, ids: idsOf(flagged) }).toEqual({ name, ids: expected.map(([id]) => id) });
    expect({ name, ids: idsOf(response.messages) }).toEqual({
      name,
      ids: expected.map(([id]) => id),
    });
  }
});
