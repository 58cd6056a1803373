// The client offers for users and for creating objects what the server permits.
import { test } from "bun:test";
import * as channelRules from "../../src/web/features/channels/permissions.ts";
import { canCreateGroups } from "../../src/web/features/groups/editing-permissions.ts";
import { availableMethods } from "../../src/web/features/organization/invitations/draft.ts";
import {
  canAdminister,
  canRename,
  rolesFor,
} from "../../src/web/features/organization/people/permissions.ts";
import { personOf } from "../../src/web/features/people/state.ts";
import { reasonAgainst } from "../../src/web/features/recipient/reasons.ts";
import { start } from "../../src/web/store/store.ts";
import type { Name } from "../users.ts";
import type { Params } from "../test-server.ts";
import { expectSameRights, RightsComparison, PEOPLE, type Rights } from "./compare-permissions.ts";

const offers = RightsComparison.forTestFile();
const { idOf, isAllowed, stateOf } = offers;

test("offered actions on users are allowed", async () => {
  await expectSameRights(async (name) => {
    const state = start(await offers.snapshotOf(name));
    const [displayedRights, granted]: Rights[] = [{}, {}];
    for (const target of ["bot", "olga", "ada", "mo", "bo", "gus"] as const) {
      const person = personOf(state.people, idOf(target));
      if (!person) continue;
      const { user_id, is_bot, role } = person;
      const isMe = target === name;
      const canAdministerPerson = canAdminister(person);
      const isAdministrator = channelRules.isAdministrator(state);
      const recordRight = async (
        label: string,
        isOffered: boolean,
        line: string,
        params: Params = {},
      ) => {
        displayedRights![`${label} ${target}`] = isOffered;
        granted![`${label} ${target}`] = await isAllowed(name, line, params);
      };
      // Users manage their own bots on a different page.
      const isOwn = is_bot && person.bot_owner_id === state.people.me;
      if (!isOwn && !isMe)
        await recordRight("rename", canRename(), `PATCH /users/${user_id}`, {
          full_name: `${target} anew`,
        });
      const status = { status_text: "away" };
      // Users set their own status elsewhere.
      if (!isMe)
        await recordRight("status", isAdministrator, `POST /users/${user_id}/status`, status);
      if (!isMe) await recordRight("mute", true, `POST /users/me/muted_users/${user_id}`);
      for (const input of [100, 200, 300, 400, 600]) {
        // Skips the user's current role, and the own account, whose role is given up elsewhere.
        if (input === role || isMe) continue;
        const isOffered = canAdministerPerson && rolesFor(person).includes(input);
        await recordRight(`role ${input}`, isOffered, `PATCH /users/${user_id}`, { role: input });
        await offers.testServer.request("olga", `PATCH /users/${user_id}`, { role });
      }
      if (isMe) continue;
      const account = is_bot ? `/bots/${user_id}` : `/users/${user_id}`;
      await recordRight("deactivate", canAdministerPerson || isOwn, `DELETE ${account}`);
      const request = `POST /users/${user_id}/reactivate`;
      if (granted![`deactivate ${target}`]) {
        await recordRight("bring back", canRename() || isOwn, request);
        if (!granted![`bring back ${target}`]) await offers.testServer.request("olga", request);
        // Bots are deactivated with their owner, but not reactivated.
        if (target === "bo")
          await offers.testServer.request("olga", `POST /users/${idOf("bot")}/reactivate`);
      }
    }
    return [displayedRights!, granted!];
  });
});

test("offers creating channels, groups and invitations with permission", async () => {
  await expectSameRights(async (userName) => {
    const state = start(await offers.snapshotOf(userName));
    const [displayedRights, granted]: Rights[] = [{}, {}];
    const { stream_id } = await offers.testServer.request("olga", "GET /get_stream_id", {
      stream: "general",
    });
    const link = { invite_expires_in_minutes: 10, stream_ids: [stream_id], invite_as: 400 };
    const mail = {
      ...link,
      invitee_emails: `${offers.uniqueName(userName).replace(" ", "")}@example.net`,
    };
    const params = { name: offers.uniqueName("group"), description: "", members: "[]" };
    for (const { name, kind } of channelRules.KINDS) {
      const { invite_only, is_web_public, history_public_to_subscribers } = kind;
      const privacy = { invite_only, is_web_public, history_public_to_subscribers };
      const channel = {
        name: offers.uniqueName("made"),
        subscribers: [idOf(userName)],
        ...privacy,
      };
      displayedRights![`make ${name}`] = channelRules.canCreateKind(state, kind);
      granted![`make ${name}`] = await isAllowed(userName, "POST /channels/create", channel);
    }
    displayedRights!["make a group"] = canCreateGroups(state);
    granted!["make a group"] = await isAllowed(userName, "POST /user_groups/create", params);
    displayedRights!["invite by mail"] = availableMethods().includes("mail");
    granted!["invite by mail"] = await isAllowed(userName, "POST /invites", mail);
    displayedRights!["invite by link"] = availableMethods().includes("link");
    granted!["invite by link"] = await isAllowed(userName, "POST /invites/multiuse", link);
    return [displayedRights!, granted!];
  });
});

const DIRECTS: Record<string, Params> = {
  "to all": {},
  "by moderators": { direct_message_permission_group: "moderators" },
  "by nobody": { direct_message_permission_group: "nobody" },
  "begun by moderators": { direct_message_initiator_group: "moderators" },
};

for (const [name, settings] of Object.entries(DIRECTS)) {
  test(`direct messages ${name}: users without a warning can write`, async () => {
    const everyone = {
      direct_message_permission_group: "everyone",
      direct_message_initiator_group: "everyone",
    };
    const change = (to: Params) =>
      Object.fromEntries(
        Object.entries(to).map(([key, group]) => [key, { new: offers.role(group as string) }]),
      );
    await offers.testServer.request("olga", "PATCH /realm", change({ ...everyone, ...settings }));
    await expectSameRights(async (name) => {
      const state = await stateOf(name);
      const [displayedRights, granted]: Rights[] = [{}, {}];
      for (const target of PEOPLE.flatMap((item) => [[item], [item, "cy"]] as Name[][])) {
        const to = target.map((userName) => idOf(userName));
        displayedRights![target.join()] = reasonAgainst({ user_ids: to }, state) === undefined;
        const message = { type: "direct", to: JSON.stringify(to), content: "Hello" };
        granted![target.join()] = await isAllowed(name, "POST /messages", message);
      }
      return [displayedRights!, granted!];
    });
    await offers.testServer.request("olga", "PATCH /realm", change(everyone));
  });
}
