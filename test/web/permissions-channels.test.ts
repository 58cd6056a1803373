// The client offers in channels what the server permits, for all kinds of users.
import { test } from "bun:test";
import { FOLLOWED } from "../../src/contract/policies.ts";
import * as channelRules from "../../src/web/features/channels/permissions.ts";
import { reasonAgainst } from "../../src/web/features/recipient/reasons.ts";
import { isOpen } from "../../src/web/features/topics/permissions.ts";
import { addTopics } from "../../src/web/features/topics/state.ts";
import type { State } from "../../src/web/store/state.ts";
import type { Name } from "../users.ts";
import type { Params } from "../test-server.ts";
import { expectSameRights, RightsComparison, usersOnly, PEOPLE } from "./compare-permissions.ts";

const offers = RightsComparison.forTestFile();
const { idOf, isAllowed, stateOf } = offers;

interface ChannelCase {
  kind: Params;
  rights?: (id: (name: Name) => number) => Params;
  isArchived?: boolean;
}

const PUBLIC = {};
const SHARED = { invite_only: true, history_public_to_subscribers: true };
const PROTECTED = { invite_only: true, history_public_to_subscribers: false };
const WEB = { is_web_public: true };

const CHANNELS: Record<string, ChannelCase> = {
  public: { kind: PUBLIC },
  shared: { kind: SHARED },
  protected: { kind: PROTECTED },
  web: { kind: WEB },
  "public, archived": { kind: PUBLIC, isArchived: true },
  "shared, archived": { kind: SHARED, isArchived: true },
  "protected, joined by Cy": {
    kind: PROTECTED,
    rights: (id) => ({ can_subscribe_group: usersOnly(id("cy")) }),
  },
  "shared, joined by Cy": {
    kind: SHARED,
    rights: (id) => ({ can_subscribe_group: usersOnly(id("cy")) }),
  },
  "shared, Cy and Mo bring others": {
    kind: SHARED,
    rights: (id) => ({ can_add_subscribers_group: usersOnly(id("cy"), id("mo")) }),
  },
  "shared, administered by Cy and Bo": {
    kind: SHARED,
    rights: (id) => ({ can_administer_channel_group: usersOnly(id("cy"), id("bo")) }),
  },
  "public, administered by Cy": {
    kind: PUBLIC,
    rights: (id) => ({ can_administer_channel_group: usersOnly(id("cy")) }),
  },
  "public, Cy, Bo and Gus remove others": {
    kind: PUBLIC,
    rights: (id) => ({ can_remove_subscribers_group: usersOnly(id("cy"), id("bo"), id("gus")) }),
  },
  "shared, Cy removes others": {
    kind: SHARED,
    rights: (id) => ({ can_remove_subscribers_group: usersOnly(id("cy")) }),
  },
  "public, only Bo and Gus post": {
    kind: PUBLIC,
    rights: (id) => ({ can_send_message_group: usersOnly(id("bo"), id("gus")) }),
  },
};

for (const [name, { kind, rights, isArchived }] of Object.entries(CHANNELS)) {
  test(`a channel that is ${name}: offered actions are allowed`, async () => {
    await expectSameRights(async (name) => {
      // Each user gets a new channel with Bo and Gus, because the user's actions change it.
      const input = { name: offers.uniqueName("channel"), ...kind, ...rights?.(idOf) };
      const subscribers = [idOf("bo"), idOf("gus")];
      const { id } = await offers.testServer.request("olga", "POST /channels/create", {
        ...input,
        subscribers,
      });
      const params = { type: "channel", to: id, topic: "t", content: "Hello" };
      const message = (await offers.testServer.request("bo", "POST /messages", params)).id;
      if (isArchived) await offers.testServer.request("olga", `DELETE /streams/${id}`);
      const state = await stateOf(name);
      const channel = state.channels.channels.get(id);
      const applies = (rule: (state: State, channel_: NonNullable<typeof channel>) => boolean) =>
        channel !== undefined && rule(state, channel);
      const administers = applies(channelRules.canAdministerChannel);
      const visibleControls = {
        read: applies(channelRules.canReadChannel),
        describe: administers,
        setTopics: administers && channelRules.canSetTopics(state),
        setDeleting: administers && channelRules.canSetDeleting(state),
        addSubscriber: applies(channelRules.canAddTo),
        removeSubscriber: applies(channelRules.canRemoveFrom),
        post: channel !== undefined && !reasonAgainst({ stream_id: id, topic: "t" }, state),
        follow: channel !== undefined && isOpen(id, state),
        join: applies(channelRules.canJoin),
        archive: administers && !isArchived,
      };
      const isLater = kind === PROTECTED;
      const isIncluded = name === "bo" || name === "gus";
      const path = `/streams/${id}`;
      const subscription = { subscriptions: [{ name: input.name }] };
      const policy = { stream_id: id, topic: "t", visibility_policy: FOLLOWED };
      const cares = { can_delete_any_message_group: { new: offers.role("moderators") } };
      const others = { principals: [idOf("ada")] };
      const member = { principals: [idOf(name === "gus" ? "bo" : "gus")] };
      const granted = {
        // If earlier messages are hidden, new subscribers see later messages.
        read: isLater ? visibleControls.read : await isAllowed(name, `GET /messages/${message}`),
        describe: await isAllowed(name, `PATCH ${path}`, { description: name }),
        setTopics: await isAllowed(name, `PATCH ${path}`, { topics_policy: "allow_empty_topic" }),
        setDeleting: await isAllowed(name, `PATCH ${path}`, cares),
        addSubscriber: await isAllowed(name, "POST /users/me/subscriptions", {
          ...subscription,
          ...others,
        }),
        removeSubscriber: await isAllowed(name, "DELETE /users/me/subscriptions", {
          subscriptions: [input.name],
          ...member,
        }),
        post: await isAllowed(name, "POST /messages", params),
        follow: await isAllowed(name, "POST /user_topics", policy),
        // Joining is not offered to subscribers.
        join: !isIncluded && (await isAllowed(name, "POST /users/me/subscriptions", subscription)),
        archive: await isAllowed(name, `DELETE ${path}`),
      };
      return [visibleControls, granted];
    });
  });
}

test("offers a restricted topic to permitted users, an existing one to all", async () => {
  const can_create_topic_group = usersOnly(idOf("bo"));
  const params = { name: offers.uniqueName("channel"), can_create_topic_group };
  const subscribers = PEOPLE.map((item) => idOf(item));
  const { id } = await offers.testServer.request("olga", "POST /channels/create", {
    ...params,
    subscribers,
  });
  const message = { type: "channel", to: id, content: "Hello" };
  await offers.testServer.request("bo", "POST /messages", { ...message, topic: "There" });
  await expectSameRights(async (name) => {
    const state = await stateOf(name);
    const { topics } = await offers.testServer.request(name, `GET /users/me/${id}/topics`);
    addTopics(state.topics, id, topics, new Set());
    const canMove = (topic: string) => !reasonAgainst({ stream_id: id, topic }, state);
    const send = (topic: string) => isAllowed(name, "POST /messages", { ...message, topic });
    const updated = `New by ${name}`;
    return [
      { there: canMove("there"), anew: canMove(updated) },
      { there: await send("there"), anew: await send(updated) },
    ];
  });
});
