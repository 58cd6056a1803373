// Asking for subscriptions: one's own and others', to channels that are there and to new ones.
import Type from "typebox";
import { defaulted, endpoint, json, optional, text, bool } from "../../endpoint.ts";
import {
  addColorInvalid,
  channelNotAccessible,
  channelsNotFound,
  subscriptionsNotGiven,
} from "../../errors-channels.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Channel, User } from "../../records.ts";
import { sendNoticeToPeople } from "../messages/notices.ts";
import { UNMAILED } from "../messages/rules.ts";
import { thereLately } from "../presence/lately.ts";
import { accessUserByEmail } from "../users/access.ts";
import { isBot } from "../users/rules.ts";
import { canReadChannel, canSeeChannel } from "./access.ts";
import { createChannel } from "./actions.ts";
import { activePeople } from "./create.ts";
import { Crowd, finishCrowd } from "./crowd.ts";
import {
  checkedDescription,
  type NewChannelAsked,
  newChannelFields,
  newChannelParams,
  withSubscribers,
} from "./parameters.ts";
import { checkedName } from "./names.ts";
import { colorOf, foldedName, NEW_SUBSCRIPTION_MESSAGES_MAX } from "./rules.ts";
import { ownSubscriptions } from "./snapshot.ts";
import { type ByChannel, subscribe, unsubscribe } from "./subscribe.ts";
import { subscription } from "./words.ts";

const principals = optional(
  json(Type.Union([Type.Array(Type.Integer()), Type.Array(Type.String())])),
);

const wanted = Type.Object({
  name: Type.String(),
  color: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
});

export const getSubscriptions = endpoint({
  params: { include_subscribers: defaulted(text, "false") },
  run: ({ realm, user }, { include_subscribers }) => {
    const include = withSubscribers(include_subscribers);
    const lately = () => thereLately(realm);
    return { subscriptions: ownSubscriptions(realm.read, user, include, lately) };
  },
});

interface Asked extends NewChannelAsked {
  subscriptions: readonly Wanted[];
  principals: readonly (number | string)[] | undefined;
  authorization_errors_fatal: boolean;
  send_new_subscription_messages: boolean;
}

/** Subscribes people to channels by name, and makes those that are not there. */
function subscribeByName(tx: Writer, user: User, given: Asked) {
  const people = peopleNamed(tx, user, given.principals);
  const sorted = sort(tx, user, given.subscriptions);
  const [refused] = sorted.unauthorized;
  if (refused && given.authorization_errors_fatal) throw channelNotAccessible(refused);
  const crowd = new Crowd(user, people.length * (sorted.existing.length + sorted.missing.length));
  const { added, already } = subscribe(tx, user, people, sorted.existing, { ...sorted, crowd });
  const isTold = given.send_new_subscription_messages && tellSubscribed(tx, user, added);
  const made = sorted.missing.map(({ name, description = "", color }) => {
    const fields = newChannelFields(name, description, given);
    return createChannel(tx, user, fields, people, { color, crowd });
  });
  for (const channel of made) added.set(channel, people);
  const crowd_id = crowd.settle(tx, made, given.announce);
  const answer = {
    subscribed: namesByPerson(added),
    already_subscribed: namesByPerson(already),
    ...(!given.authorization_errors_fatal && { unauthorized: sorted.unauthorized }),
    ...(given.send_new_subscription_messages && { new_subscription_messages_sent: isTold }),
  };
  return { answer, crowd_id };
}

function unsubscribeByName(
  tx: Writer,
  user: User,
  names: readonly string[],
  named?: Asked["principals"],
) {
  const people = peopleNamed(tx, user, named);
  const channels = channelsNamed(tx, user, names);
  const { removed, absent } = unsubscribe(tx, user, people, channels);
  return { removed: namesOf(removed), not_removed: namesOf(absent) };
}

export const postSubscriptions = endpoint({
  params: {
    subscriptions: json(Type.Array(wanted)),
    principals,
    authorization_errors_fatal: defaulted(bool, true),
    send_new_subscription_messages: defaulted(bool, true),
    ...newChannelParams,
  },
  run: async ({ realm, user }, given) => {
    const { answer, crowd_id } = await realm.write((tx) => subscribeByName(tx, user, given));
    await finishCrowd(realm, crowd_id);
    return answer;
  },
});

export const deleteSubscriptions = endpoint({
  params: { subscriptions: json(Type.Array(Type.String())), principals },
  run: ({ realm, user }, given) =>
    realm.write((tx) => unsubscribeByName(tx, user, given.subscriptions, given.principals)),
});

/** Both at once, one's own alone. */
export const patchSubscriptions = endpoint({
  params: {
    add: optional(json(Type.Array(wanted))),
    delete: optional(json(Type.Array(Type.String()))),
  },
  run: ({ realm, user }, { add = [], delete: gone = [] }) => {
    if (add.length === 0 && gone.length === 0) throw subscriptionsNotGiven();
    const asked = {
      ...{ subscriptions: add, principals: undefined },
      ...{ authorization_errors_fatal: true, send_new_subscription_messages: false },
    };
    return realm.write((tx) => ({
      ...subscribeByName(tx, user, asked).answer,
      ...unsubscribeByName(tx, user, gone),
    }));
  },
});

/** What was asked for: channels that are there, ones to make, and ones that are not open. */
function sort(reader: Reader, user: User, asked: readonly Wanted[]) {
  const existing: Channel[] = [];
  const missing: Missing[] = [];
  const unauthorized: string[] = [];
  const colors = new Map<number, string>();
  const seen = new Set<string>();
  for (const { name: given, color: asColor, description } of asked) {
    const name = checkedName(given);
    if (seen.has(foldedName(name))) continue;
    seen.add(foldedName(name));
    const color = asColor === undefined ? undefined : colorOf(asColor);
    if (asColor !== undefined && color === undefined) throw addColorInvalid();
    const channel = reader.channels.one("name", foldedName(name));
    if (!channel) missing.push({ name, description: checkedDescription(description ?? ""), color });
    else if (channel.is_archived || !canReadChannel(reader, user, channel)) unauthorized.push(name);
    else {
      existing.push(channel);
      if (color) colors.set(channel.stream_id, color);
    }
  }
  return { existing, missing, unauthorized, colors };
}

type Wanted = Readonly<{ name: string; color?: string; description?: string }>;
type Missing = { name: string; description: string; color: string | undefined };

/** Each once; when none are named, the person who asks. */
function peopleNamed(
  reader: Reader,
  user: User,
  named: readonly (number | string)[] | undefined,
): User[] {
  if (named === undefined) return [user];
  const ids = named.map((one) => {
    if (typeof one === "number") return one;
    return accessUserByEmail(reader, user, one).user_id;
  });
  return activePeople(reader, ids);
}

function channelsNamed(reader: Reader, user: User, names: readonly string[]): Channel[] {
  const found = new Map<number, Channel>();
  const unknown: string[] = [];
  for (const name of names) {
    const channel = reader.channels.one("name", foldedName(name.trim()));
    if (channel && canSeeChannel(reader, user, channel)) found.set(channel.stream_id, channel);
    else unknown.push(name);
  }
  if (unknown.length > 0) throw channelsNotFound(unknown);
  return [...found.values()];
}

/** Tells people, not bots, of the channels that somebody else put them in; not a crowd. */
function tellSubscribed(tx: Writer, by: User, added: ByChannel): boolean {
  const others = new Set([...added.values()].flat().filter((user) => isOther(user, by)));
  if (others.size > NEW_SUBSCRIPTION_MESSAGES_MAX) return false;
  for (const user of others) {
    const channels = [...added].filter(([, users]) => users.includes(user)).map(([one]) => one);
    sendNoticeToPeople(tx, [user.user_id], subscription(by, channels), { bits: UNMAILED });
  }
  return true;
}

const isOther = (user: User, by: User) => user.user_id !== by.user_id && !isBot(user);

function namesByPerson(channels: ByChannel): Record<string, string[]> {
  const names: Record<string, string[]> = {};
  for (const [{ name }, users] of channels) {
    for (const { user_id } of users) (names[user_id] ??= []).push(name);
  }
  return names;
}

const namesOf = (channels: ByChannel) => [...channels.keys()].map(({ name }) => name);
