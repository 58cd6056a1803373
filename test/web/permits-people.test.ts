// The client offers for users and for creating objects what the server permits.
import { test } from "bun:test";
import * as channelRules from "../../src/web/features/channels/asker.ts";
import { mayMakeGroups } from "../../src/web/features/groups/asker.ts";
import { waysOpen } from "../../src/web/features/organization/invitations/asked.ts";
import {
  mayAdminister,
  mayRename,
  rolesFor,
} from "../../src/web/features/organization/people/may.ts";
import { personOf } from "../../src/web/features/people/state.ts";
import { reasonAgainst } from "../../src/web/features/target/reasons.ts";
import { start } from "../../src/web/live.ts";
import type { Name } from "../cast.ts";
import type { Params } from "../test-server.ts";
import { agree, Offers, PEOPLE, type Rights } from "./offered.ts";

const offers = Offers.ofFile();
const { idOf, isAllowed, stateOf } = offers;

test("of people what is offered is what is allowed", async () => {
  await agree(async (who) => {
    const state = start(await offers.snapshotOf(who));
    const [offered, granted]: Rights[] = [{}, {}];
    for (const target of ["bot", "olga", "ada", "mo", "bo", "gus"] as const) {
      const person = personOf(state.people, idOf(target));
      if (!person) continue;
      const { user_id, is_bot, role } = person;
      const isMe = target === who;
      const may = mayAdminister(person);
      const isAdministrator = channelRules.isAdministrator(state);
      const note = async (what: string, isOffered: boolean, line: string, params: Params = {}) => {
        offered![`${what} ${target}`] = isOffered;
        granted![`${what} ${target}`] = await isAllowed(who, line, params);
      };
      // Bots of one's own have a page of their own.
      const isOwn = is_bot && person.bot_owner_id === state.people.me;
      if (!isOwn && !isMe)
        await note("rename", mayRename(), `PATCH /users/${user_id}`, {
          full_name: `${target} anew`,
        });
      const status = { status_text: "away" };
      // One's own is set elsewhere.
      if (!isMe) await note("status", isAdministrator, `POST /users/${user_id}/status`, status);
      if (!isMe) await note("mute", true, `POST /users/me/muted_users/${user_id}`);
      for (const given of [100, 200, 300, 400, 600]) {
        // Not the role that one has, and one's own is given away elsewhere.
        if (given === role || isMe) continue;
        const isOffered = may && rolesFor(person).includes(given);
        await note(`role ${given}`, isOffered, `PATCH /users/${user_id}`, { role: given });
        await offers.testServer.ask("olga", `PATCH /users/${user_id}`, { role });
      }
      if (isMe) continue;
      const account = is_bot ? `/bots/${user_id}` : `/users/${user_id}`;
      await note("deactivate", may || isOwn, `DELETE ${account}`);
      const back = `POST /users/${user_id}/reactivate`;
      if (granted![`deactivate ${target}`]) {
        await note("bring back", mayRename() || isOwn, back);
        if (!granted![`bring back ${target}`]) await offers.testServer.ask("olga", back);
        // Bots go with who they belong to.
        if (target === "bo")
          await offers.testServer.ask("olga", `POST /users/${idOf("bot")}/reactivate`);
      }
    }
    return [offered!, granted!];
  });
});

test("who may make channels, groups and invitations is offered to", async () => {
  await agree(async (who) => {
    const state = start(await offers.snapshotOf(who));
    const [offered, granted]: Rights[] = [{}, {}];
    const { stream_id } = await offers.testServer.ask("olga", "GET /get_stream_id", {
      stream: "general",
    });
    const link = { invite_expires_in_minutes: 10, stream_ids: [stream_id], invite_as: 400 };
    const mail = { ...link, invitee_emails: `${offers.fresh(who).replace(" ", "")}@example.net` };
    const made = { name: offers.fresh("group"), description: "", members: "[]" };
    for (const { name, kind } of channelRules.KINDS) {
      const { invite_only, is_web_public, history_public_to_subscribers } = kind;
      const privacy = { invite_only, is_web_public, history_public_to_subscribers };
      const channel = { name: offers.fresh("made"), subscribers: [idOf(who)], ...privacy };
      offered![`make ${name}`] = channelRules.mayMakeKind(state, kind);
      granted![`make ${name}`] = await isAllowed(who, "POST /channels/create", channel);
    }
    offered!["make a group"] = mayMakeGroups(state);
    granted!["make a group"] = await isAllowed(who, "POST /user_groups/create", made);
    offered!["invite by mail"] = waysOpen().includes("mail");
    granted!["invite by mail"] = await isAllowed(who, "POST /invites", mail);
    offered!["invite by link"] = waysOpen().includes("link");
    granted!["invite by link"] = await isAllowed(who, "POST /invites/multiuse", link);
    return [offered!, granted!];
  });
});

const DIRECTS: Record<string, Params> = {
  "to all": {},
  "by moderators": { direct_message_permission_group: "moderators" },
  "by nobody": { direct_message_permission_group: "nobody" },
  "begun by moderators": { direct_message_initiator_group: "moderators" },
};

for (const [name, settings] of Object.entries(DIRECTS)) {
  test(`direct messages ${name}: who is not warned may write`, async () => {
    const everyone = {
      direct_message_permission_group: "everyone",
      direct_message_initiator_group: "everyone",
    };
    const change = (to: Params) =>
      Object.fromEntries(
        Object.entries(to).map(([key, group]) => [key, { new: offers.role(group as string) }]),
      );
    await offers.testServer.ask("olga", "PATCH /realm", change({ ...everyone, ...settings }));
    await agree(async (who) => {
      const state = await stateOf(who);
      const [offered, granted]: Rights[] = [{}, {}];
      for (const target of PEOPLE.flatMap((one) => [[one], [one, "cy"]] as Name[][])) {
        const to = target.map((one) => idOf(one));
        offered![target.join()] = reasonAgainst({ user_ids: to }, state) === undefined;
        const sent = { type: "direct", to: JSON.stringify(to), content: "Hello" };
        granted![target.join()] = await isAllowed(who, "POST /messages", sent);
      }
      return [offered!, granted!];
    });
    await offers.testServer.ask("olga", "PATCH /realm", change(everyone));
  });
}
