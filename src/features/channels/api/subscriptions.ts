// Endpoints for subscribing to existing and new channels.
import Type from "typebox";
import {
  addColorInvalid,
  channelNotAccessible,
  channelsNotFound,
  subscriptionsNotGiven,
} from "../../../contract/errors/channels.ts";
import { membershipShape } from "../../../contract/shapes/channels.ts";
import { dict, list, partial } from "../../../contract/shapes/value-types.ts";
import { defaulted, endpoint, json, optional, text, bool } from "../../../endpoint.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Channel, User } from "../../../schema/records.ts";
import { NOT_NOTIFYING } from "../../messages/rules.ts";
import { sendNoticeToPeople } from "../../messages/send/notices.ts";
import { accessUser, accessUserByEmail } from "../../people/access.ts";
import { recentlyActive } from "../../presence/recently-active.ts";
import { isBot } from "../../rights/rules.ts";
import { canReadChannel, canSeeChannel, checkChannelLimit } from "../access.ts";
import { subscription } from "../bot-messages.ts";
import { activePeople, createChannel } from "../manage/create.ts";
import {
  checkedDescription,
  type NewChannelRequest,
  newChannelFields,
  newChannelParams,
  withSubscribers,
} from "../manage/new-channel.ts";
import { checkedName } from "../names.ts";
import { colorOf, foldedName, NEW_SUBSCRIPTION_MESSAGES_MAX } from "../rules.ts";
import { ownSubscriptions } from "../snapshot.ts";
import { BulkSubscribe, UNSUBSCRIBED_AT_ONCE_MAX } from "../subscriptions/bulk-parts.ts";
import { finishBulkSubscribe } from "../subscriptions/bulk-subscribe.ts";
import { type UsersByChannel, subscribe } from "../subscriptions/subscribe.ts";
import { unsubscribe } from "../subscriptions/unsubscribe.ts";

const principals = optional(
  json(Type.Union([Type.Array(Type.Integer()), Type.Array(Type.String())])),
);

const channelRequest = Type.Object({
  name: Type.String(),
  color: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
});

export const getSubscriptions = endpoint({
  summary: "List your subscriptions",
  tag: "Subscriptions",
  params: { include_subscribers: defaulted(text, "false") },
  answer: Type.Object({ subscriptions: list(membershipShape) }),
  run: ({ realm, user }, { include_subscribers }) => {
    const include = withSubscribers(include_subscribers);
    const recentlyActiveUsers = () => recentlyActive(realm);
    return { subscriptions: ownSubscriptions(realm.read, user, include, recentlyActiveUsers) };
  },
});

interface SubscriptionRequest extends NewChannelRequest {
  subscriptions: readonly RequestedChannels[];
  principals: readonly (number | string)[] | undefined;
  authorization_errors_fatal: boolean;
  send_new_subscription_messages: boolean;
}

/** Subscribes users to channels by name, creating those that do not exist. */
function subscribeByName(tx: Writer, user: User, input: SubscriptionRequest) {
  const people = peopleNamed(tx, user, input.principals);
  const sorted = sort(tx, user, input.subscriptions);
  const [refusedName] = sorted.unauthorized;
  if (refusedName && input.authorization_errors_fatal) throw channelNotAccessible(refusedName);
  const bulk = new BulkSubscribe(
    user,
    people.length * (sorted.existing.length + sorted.missing.length),
  );
  const { added, already } = subscribe(tx, user, people, sorted.existing, { ...sorted, bulk });
  const isNotified = input.send_new_subscription_messages && notifySubscribed(tx, user, added);
  checkChannelLimit(tx, user, sorted.missing.length);
  const channels = sorted.missing.map(({ name, description = "", color }) => {
    const fields = newChannelFields(name, description, input);
    return createChannel(tx, user, fields, people, { color, bulk });
  });
  for (const channel of channels) added.set(channel, people);
  const crowd_id = bulk.settle(tx, channels, input.announce);
  const response = {
    subscribed: namesByPerson(added),
    already_subscribed: namesByPerson(already),
    ...(!input.authorization_errors_fatal && { unauthorized: sorted.unauthorized }),
    ...(input.send_new_subscription_messages && { new_subscription_messages_sent: isNotified }),
  };
  return { answer: response, crowd_id };
}

function unsubscribeByName(
  tx: Writer,
  user: User,
  names: readonly string[],
  requestedUsers?: SubscriptionRequest["principals"],
) {
  const people = peopleNamed(tx, user, requestedUsers);
  const channels = channelsNamed(tx, user, names);
  const subscriptions = people.length * channels.length;
  const bulk = new BulkSubscribe(user, subscriptions, UNSUBSCRIBED_AT_ONCE_MAX);
  const { removed, absent } = unsubscribe(tx, user, people, channels, bulk);
  const response = { removed: namesOf(removed), not_removed: namesOf(absent) };
  return { answer: response, bulk_id: bulk.settle(tx, []) };
}

const namesByUserShape = dict(list(Type.String()));

const subscribedShape = Type.Object({
  subscribed: namesByUserShape,
  already_subscribed: namesByUserShape,
  unauthorized: Type.Optional(list(Type.String())),
  new_subscription_messages_sent: Type.Optional(Type.Boolean()),
});

export const postSubscriptions = endpoint({
  summary: "Subscribe to channels, and create new ones",
  tag: "Subscriptions",
  params: {
    subscriptions: json(Type.Array(channelRequest)),
    principals,
    authorization_errors_fatal: defaulted(bool, true),
    send_new_subscription_messages: defaulted(bool, true),
    ...newChannelParams,
  },
  answer: subscribedShape,
  refuses: ["SYSTEM_GROUP_REQUIRED"],
  run: async ({ realm, user }, input) => {
    const { answer: response, crowd_id } = await realm.write((tx) =>
      subscribeByName(tx, user, input),
    );
    await finishBulkSubscribe(realm, crowd_id);
    return response;
  },
});

const unsubscribedShape = Type.Object({
  removed: list(Type.String()),
  not_removed: list(Type.String()),
});

export const deleteSubscriptions = endpoint({
  summary: "Unsubscribe from channels",
  tag: "Subscriptions",
  params: { subscriptions: json(Type.Array(Type.String())), principals },
  answer: unsubscribedShape,
  run: async ({ realm, user }, input) => {
    const { answer: response, bulk_id } = await realm.write((tx) =>
      unsubscribeByName(tx, user, input.subscriptions, input.principals),
    );
    await finishBulkSubscribe(realm, bulk_id);
    return response;
  },
});

/** Adds and removes subscriptions in one request, for the caller only. */
export const patchSubscriptions = endpoint({
  summary: "Subscribe to some channels and unsubscribe from others",
  tag: "Subscriptions",
  params: {
    add: optional(json(Type.Array(channelRequest))),
    delete: optional(json(Type.Array(Type.String()))),
  },
  answer: Type.Object({
    ...partial(subscribedShape.properties),
    ...partial(unsubscribedShape.properties),
  }),
  run: ({ realm, user }, { add = [], delete: removedNames = [] }) => {
    if (add.length === 0 && removedNames.length === 0) throw subscriptionsNotGiven();
    const params = {
      ...{ subscriptions: add, principals: undefined },
      ...{ authorization_errors_fatal: true, send_new_subscription_messages: false },
    };
    return realm.write((tx) => ({
      ...subscribeByName(tx, user, params).answer,
      ...unsubscribeByName(tx, user, removedNames).answer,
    }));
  },
});

/** Groups requested channels: existing ones, new ones, and those that the user may not join. */
function sort(reader: Reader, user: User, requested: readonly RequestedChannels[]) {
  const existing: Channel[] = [];
  const missingUsers: MissingChannel[] = [];
  const unauthorized: string[] = [];
  const colors = new Map<number, string>();
  const seenNames = new Set<string>();
  for (const { name: value, color: asColor, description } of requested) {
    const name = checkedName(value);
    if (seenNames.has(foldedName(name))) continue;
    seenNames.add(foldedName(name));
    const color = asColor === undefined ? undefined : colorOf(asColor);
    if (asColor !== undefined && color === undefined) throw addColorInvalid();
    const channel = reader.channels.findBy("name", foldedName(name));
    if (!channel)
      missingUsers.push({ name, description: checkedDescription(description ?? ""), color });
    else if (channel.is_archived || !canReadChannel(reader, user, channel)) unauthorized.push(name);
    else {
      existing.push(channel);
      if (color) colors.set(channel.stream_id, color);
    }
  }
  return { existing, missing: missingUsers, unauthorized, colors };
}

type RequestedChannels = Readonly<{ name: string; color?: string; description?: string }>;
type MissingChannel = { name: string; description: string; color: string | undefined };

/** Returns each user once; the caller if none are named. */
function peopleNamed(
  reader: Reader,
  user: User,
  requestedUsers: readonly (number | string)[] | undefined,
): User[] {
  if (requestedUsers === undefined) return [user];
  const ids = requestedUsers.map((item) => {
    if (typeof item === "number") return accessUser(reader, user, item).user_id;
    return accessUserByEmail(reader, user, item).user_id;
  });
  return activePeople(reader, ids);
}

function channelsNamed(reader: Reader, user: User, names: readonly string[]): Channel[] {
  const channels = new Map<number, Channel>();
  const unknown: string[] = [];
  for (const name of names) {
    const channel = reader.channels.findBy("name", foldedName(name.trim()));
    if (channel && canSeeChannel(reader, user, channel)) channels.set(channel.stream_id, channel);
    else unknown.push(name);
  }
  if (unknown.length > 0) throw channelsNotFound(unknown);
  return [...channels.values()];
}

/**
 * Notifies users, but not bots, that someone else subscribed them. Skipped for many users at once.
 */
function notifySubscribed(tx: Writer, actingUser: User, addedChannels: UsersByChannel): boolean {
  const others = new Set(
    [...addedChannels.values()].flat().filter((user) => isOtherHuman(user, actingUser)),
  );
  if (others.size > NEW_SUBSCRIPTION_MESSAGES_MAX) return false;
  for (const user of others) {
    const channels = [...addedChannels]
      .filter(([, users]) => users.includes(user))
      .map(([channel]) => channel);
    sendNoticeToPeople(tx, [user.user_id], subscription(actingUser, channels), {
      bits: NOT_NOTIFYING,
    });
  }
  return true;
}

const isOtherHuman = (user: User, actingUser: User) =>
  user.user_id !== actingUser.user_id && !isBot(user);

function namesByPerson(channels: UsersByChannel): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const [{ name }, users] of channels) {
    for (const { user_id } of users) (names[user_id] ??= []).push(name);
  }
  return names;
}

const namesOf = (channels: UsersByChannel) => [...channels.keys()].map(({ name }) => name);
