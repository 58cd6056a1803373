// The client offers for groups what the server permits, for all kinds of users.
import { test } from "bun:test";
import { canChangeGroup } from "../../src/web/features/groups/editing-permissions.ts";
import type { Name } from "../users.ts";
import type { Json, Params } from "../test-server.ts";
import { expectSameRights, RightsComparison, usersOnly } from "./compare-permissions.ts";

const offers = RightsComparison.forTestFile();
const { idOf, isAllowed, stateOf } = offers;

interface GroupCase {
  rights?: (id: (name: Name) => number) => Params;
  isOff?: boolean;
}
const GROUPS: Record<string, GroupCase> = {
  "as it is made": {},
  off: { isOff: true },
  "managed by Cy and Bo": { rights: (id) => ({ can_manage_group: usersOnly(id("cy"), id("bo")) }) },
  "added to by Cy, taken from by Bo": {
    rights: (id) => ({
      can_add_members_group: usersOnly(id("cy"), id("bo")),
      can_remove_members_group: usersOnly(id("cy"), id("bo")),
    }),
  },
  "come to and left by those who like": {
    rights: () => ({
      can_join_group: offers.role("members"),
      can_leave_group: offers.role("everyone"),
    }),
  },
  "left by nobody": { rights: () => ({ can_leave_group: offers.role("nobody") }) },
};

for (const [name, { rights, isOff }] of Object.entries(GROUPS)) {
  test(`a group that is ${name}: offered actions are allowed`, async () => {
    await expectSameRights(async (name) => {
      const members = JSON.stringify([idOf("bo"), idOf("gus")]);
      const input = {
        name: offers.uniqueName("group"),
        description: "",
        members,
        ...rights?.(idOf),
      };
      await offers.testServer.request("olga", "POST /user_groups/create", input);
      const inner = { name: offers.uniqueName("group"), description: "", members: "[]" };
      await offers.testServer.request("olga", "POST /user_groups/create", inner);
      const { user_groups } = await offers.testServer.request("olga", "GET /user_groups");
      const find = (expected: string) =>
        user_groups.find((group: Json) => group.name === expected).id;
      const [id, innerId] = [find(input.name), find(inner.name)];
      const path = `/user_groups/${id}`;
      if (isOff) await offers.testServer.request("olga", `POST ${path}/deactivate`);
      const state = await stateOf(name);
      const group = state.groups.groups.get(id)!;
      const canChange = canChangeGroup(state, group);
      const isIncluded = group.members.includes(idOf(name));
      const canAdd = canChangeGroup(state, group, "can_add_members_group");
      const visibleControls = {
        describe: canChange,
        rights: canChange,
        addMember: canAdd,
        addGroup: canAdd,
        takeMember: canChangeGroup(state, group, "can_remove_members_group"),
        takeGroup: canChange,
        join:
          !isIncluded && canChangeGroup(state, group, "can_join_group", "can_add_members_group"),
        leave:
          isIncluded && canChangeGroup(state, group, "can_leave_group", "can_remove_members_group"),
        switchOff: canChange && !group.deactivated,
        switchOn: canChange && group.deactivated,
      };
      const ids = (...all: number[]) => JSON.stringify(all);
      const other = idOf(name === "gus" ? "bo" : "gus");
      const members_ = (params: Params) => isAllowed(name, `POST ${path}/members`, params);
      const granted = {
        describe: await isAllowed(name, `PATCH ${path}`, { description: name }),
        rights: await isAllowed(name, `PATCH ${path}`, {
          can_mention_group: { new: offers.role("members") },
        }),
        addMember: await members_({ add: ids(idOf("bot")) }),
        addGroup: await members_({ add_subgroups: ids(innerId) }),
        takeMember: await members_({ delete: ids(other) }),
        takeGroup: await offers.testServer
          .send("olga", `POST ${path}/members`, { add_subgroups: ids(innerId) })
          .then(() => isAllowed(name, `POST ${path}/members`, { delete_subgroups: ids(innerId) })),
        leave: isIncluded && (await members_({ delete: ids(idOf(name)) })),
        join: !isIncluded && (await members_({ add: ids(idOf(name)) })),
        switchOff: !isOff && (await isAllowed(name, `POST ${path}/deactivate`)),
        switchOn:
          isOff === true && (await isAllowed(name, `PATCH ${path}`, { deactivated: false })),
      };
      return [visibleControls, granted];
    });
  });
}
