// Random actions on channels and users: joining, leaving, privacy, settings, archiving, roles.
import type { Name } from "../users.ts";
import { type Act, type Game, paramsOf, PEOPLE } from "./game.ts";
import * as rights from "./permissions.ts";
import { isAdmin, isHere } from "./visibility.ts";
import {
  CHANNEL_SETTINGS,
  type Channel,
  type ChannelSetting,
  group,
  KINDS,
  REALM_SETTINGS,
  type RealmSetting,
} from "./model.ts";

type Maker = (game: Game) => Act;

const CHANNELS_MAX = 8;

export const make: Maker = (game) => {
  const { world } = game;
  if (world.channels.size >= CHANNELS_MAX) return join(game);
  const [userName, kind] = [game.person(), game.pick(KINDS)];
  const name = `${kind} ${world.channels.size}`;
  return {
    who: userName,
    line: "POST /channels/create",
    params: { name, subscribers: game.ids([userName]), ...paramsOf(kind) },
    isAllowed: rights.canCreateChannel(world, userName, kind),
    does: ({ id }) => game.addChannel(id, name, kind, [userName]),
  };
};

export const join: Maker = (game) => {
  const name = game.person();
  const channel = game.channelWhere((channel) => rights.canSubscribe(game.world, name, channel));
  return {
    who: name,
    line: "POST /users/me/subscriptions",
    params: { subscriptions: [{ name: channel.name }], send_new_subscription_messages: false },
    isAllowed: rights.canSubscribe(game.world, name, channel),
    does: () => void channel.subscribers.add(name),
  };
};

export const invite: Maker = (game) => {
  const userName = game.person();
  const channel = game.channelWhere((channel) =>
    rights.canSubscribe(game.world, userName, channel),
  );
  const others = PEOPLE.filter((name) => name !== userName && isHere(game.world, name));
  const other = game.pick(others);
  return {
    who: userName,
    line: "POST /users/me/subscriptions",
    params: {
      subscriptions: [{ name: channel.name }],
      principals: game.ids([other]),
      send_new_subscription_messages: false,
    },
    isAllowed: rights.canSubscribeOther(game.world, userName, channel),
    does: () => void channel.subscribers.add(other),
  };
};

function unsubscribed(game: Game, name: Name, channel: Channel): void {
  channel.subscribers.delete(name);
  for (const message of game.world.said.values()) {
    const row = message.channel === channel.id ? message.rows.get(name) : undefined;
    if (row !== undefined) row.read = true;
  }
}

export const leave: Maker = (game) => {
  const name = game.person();
  const channel = game.channelWhere((channel) => channel.subscribers.has(name));
  return {
    who: name,
    line: "DELETE /users/me/subscriptions",
    params: { subscriptions: [channel.name] },
    isAllowed: rights.canUnsubscribe(game.world, name, channel, name),
    does: () => unsubscribed(game, name, channel),
  };
};

export const expel: Maker = (game) => {
  const userName = game.person();
  const channel = game.channelWhere((channel) => channel.subscribers.has(userName));
  const other = game.pick(PEOPLE.filter((name) => isHere(game.world, name)));
  return {
    who: userName,
    line: "DELETE /users/me/subscriptions",
    params: { subscriptions: [channel.name], principals: game.ids([other]) },
    isAllowed: rights.canUnsubscribe(game.world, userName, channel, other),
    does: () => unsubscribed(game, other, channel),
  };
};

export const turn: Maker = (game) => {
  const { world } = game;
  const name = game.person();
  const channel = game.channelWhere((channel) => rights.canAdminister(world, name, channel));
  const kind = game.pick(KINDS.filter((other) => other !== channel.kind));
  if (channel.is_archived) return archive(game);
  const { invite_only, ...switches } = paramsOf(kind);
  return {
    who: name,
    line: `PATCH /streams/${channel.id}`,
    params: { is_private: invite_only, ...switches },
    isAllowed: rights.canChangeKind(world, name, channel, kind),
    does: () => void (channel.kind = kind),
  };
};

export const grant: Maker = (game) => {
  const { world } = game;
  const userName = game.person();
  const channel = game.channelWhere((channel) => rights.canAdminister(world, userName, channel));
  if (channel.is_archived) return archive(game);
  const name = game.pick(Object.keys(CHANNEL_SETTINGS) as ChannelSetting[]);
  const value = game.setting(CHANNEL_SETTINGS[name].everyone);
  return {
    who: userName,
    line: `PATCH /streams/${channel.id}`,
    params: { [name]: { new: game.wire(value) } },
    isAllowed: rights.canGrant(world, userName, channel, name, value),
    does: () => game.grant(channel, name, value),
  };
};

export const archive: Maker = (game) => {
  const [name, channel] = [game.person(), game.channel()];
  const isClosed = channel.is_archived && game.roll(5) > 0;
  if (isClosed) {
    return {
      who: name,
      line: `PATCH /streams/${channel.id}`,
      params: { is_archived: false },
      isAllowed: rights.canReopen(game.world, name, channel),
      does: () => void (channel.is_archived = false),
    };
  }
  return {
    who: name,
    line: `DELETE /streams/${channel.id}`,
    params: {},
    isAllowed: rights.canArchive(game.world, name, channel),
    does: () => void (channel.is_archived = true),
  };
};

export const promote: Maker = (game) => {
  const { world } = game;
  const name = game.pick<Name>(["olga", "olga", game.person()]);
  const other = game.pick<Name>(["ada", "mo", "bo", "cy", "gus"]);
  const role = game.pick([200, 300, 400, 400, 600]);
  return {
    who: name,
    line: `PATCH /users/${game.testServer.idOf(other)}`,
    params: { role },
    isAllowed: isAdmin(world, name),
    does: () => {
      world.roles.set(other, role);
      // A bot's role is never above its owner's, and does not rise with it.
      if (other === "bo") world.roles.set("bot", Math.max(role, world.roles.get("bot")!));
    },
  };
};

export const enrol: Maker = (game) => {
  const { world } = game;
  const name = game.pick([...world.groups.keys()]);
  const { members } = world.groups.get(name)!;
  const other = game.pick(PEOPLE.filter((person) => isHere(world, person)));
  const isIncluded = members.has(other);
  return {
    who: "olga",
    line: `POST /user_groups/${game.groupId(name)}/members`,
    params: { [isIncluded ? "delete" : "add"]: game.ids([other]) },
    isAllowed: true,
    does: () => void (isIncluded ? members.delete(other) : members.add(other)),
  };
};

export const govern: Maker = (game) => {
  const { world } = game;
  const name = game.pick(Object.keys(REALM_SETTINGS) as RealmSetting[]);
  const userName = game.pick<Name>(["olga", game.person()]);
  const isOfWeb = name === "can_create_web_public_channel_group";
  const roles = ["role:nobody", "role:owners", "role:administrators", "role:moderators"];
  const value = isOfWeb ? group(game.pick(roles)) : game.setting(REALM_SETTINGS[name].everyone);
  return {
    who: userName,
    line: "PATCH /realm",
    params: { [name]: { new: game.wire(value) } },
    isAllowed: isAdmin(world, userName),
    does: () => void (world.realm[name] = value),
  };
};

/** Allows or forbids spectators. */
export const open: Maker = (game) => {
  const { world } = game;
  const name = game.pick<Name>(["olga", game.person()]);
  const enable_spectator_access = !world.letsSpectatorsIn || game.roll(3) > 0;
  return {
    who: name,
    line: "PATCH /realm",
    params: { enable_spectator_access },
    isAllowed: isAdmin(world, name),
    does: () => void (world.letsSpectatorsIn = enable_spectator_access),
  };
};

/** Lets guests see all users, or only those with whom they share a channel or conversation. */
export const blind: Maker = (game) => {
  const { world } = game;
  const userName = game.pick<Name>(["olga", game.person()]);
  const name = world.guestsSeeAll ? "role:members" : "role:everyone";
  return {
    who: userName,
    line: "PATCH /realm",
    params: { can_access_all_users_group: { new: game.groupId(name) } },
    isAllowed: isAdmin(world, userName),
    does: () => void (world.guestsSeeAll = !world.guestsSeeAll),
  };
};

/** Deactivates a user, or reactivates a deactivated one. */
export const retire: Maker = (game) => {
  const { world } = game;
  const other = game.pick<Name>(["cy", "gus"]);
  const isAway = world.away.has(other);
  const line = `/users/${game.testServer.idOf(other)}`;
  return {
    who: "olga",
    line: isAway ? `POST ${line}/reactivate` : `DELETE ${line}`,
    params: {},
    isAllowed: true,
    does: () => void (isAway ? world.away.delete(other) : world.away.add(other)),
  };
};
