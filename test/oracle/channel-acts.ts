// Random actions on channels and users: joining, leaving, privacy, settings, archiving, roles.
import type { Name } from "../users.ts";
import { type Action, type Simulation, paramsOf, PEOPLE } from "./simulation.ts";
import * as rights from "./permissions.ts";
import { isAdmin, isActive } from "./visibility.ts";
import {
  CHANNEL_SETTINGS,
  type Channel,
  type ChannelSetting,
  group,
  KINDS,
  REALM_SETTINGS,
  type RealmSetting,
} from "./model.ts";

type ActionMaker = (sim: Simulation) => Action;

const CHANNELS_MAX = 8;

export const make: ActionMaker = (sim) => {
  const { model } = sim;
  if (model.channels.size >= CHANNELS_MAX) return join(sim);
  const [userName, kind] = [sim.pickPerson(), sim.pick(KINDS)];
  const name = `${kind} ${model.channels.size}`;
  return {
    who: userName,
    line: "POST /channels/create",
    params: { name, subscribers: sim.ids([userName]), ...paramsOf(kind) },
    isAllowed: rights.canCreateChannel(model, userName, kind),
    apply: ({ id }) => sim.addChannel(id, name, kind, [userName]),
  };
};

export const join: ActionMaker = (sim) => {
  const name = sim.pickPerson();
  const channel = sim.pickChannelWhere((channel) => rights.canSubscribe(sim.model, name, channel));
  return {
    who: name,
    line: "POST /users/me/subscriptions",
    params: { subscriptions: [{ name: channel.name }], send_new_subscription_messages: false },
    isAllowed: rights.canSubscribe(sim.model, name, channel),
    apply: () => void channel.subscribers.add(name),
  };
};

export const invite: ActionMaker = (sim) => {
  const userName = sim.pickPerson();
  const channel = sim.pickChannelWhere((channel) =>
    rights.canSubscribe(sim.model, userName, channel),
  );
  const others = PEOPLE.filter((name) => name !== userName && isActive(sim.model, name));
  const other = sim.pick(others);
  return {
    who: userName,
    line: "POST /users/me/subscriptions",
    params: {
      subscriptions: [{ name: channel.name }],
      principals: sim.ids([other]),
      send_new_subscription_messages: false,
    },
    isAllowed: rights.canSubscribeOther(sim.model, userName, channel),
    apply: () => void channel.subscribers.add(other),
  };
};

function applyUnsubscribe(sim: Simulation, name: Name, channel: Channel): void {
  channel.subscribers.delete(name);
  for (const message of sim.model.messages.values()) {
    const row = message.channel === channel.id ? message.rows.get(name) : undefined;
    if (row !== undefined) row.read = true;
  }
}

export const leave: ActionMaker = (sim) => {
  const name = sim.pickPerson();
  const channel = sim.pickChannelWhere((channel) => channel.subscribers.has(name));
  return {
    who: name,
    line: "DELETE /users/me/subscriptions",
    params: { subscriptions: [channel.name] },
    isAllowed: rights.canUnsubscribe(sim.model, name, channel, name),
    apply: () => applyUnsubscribe(sim, name, channel),
  };
};

export const removeSubscriber: ActionMaker = (sim) => {
  const userName = sim.pickPerson();
  const channel = sim.pickChannelWhere((channel) => channel.subscribers.has(userName));
  const other = sim.pick(PEOPLE.filter((name) => isActive(sim.model, name)));
  return {
    who: userName,
    line: "DELETE /users/me/subscriptions",
    params: { subscriptions: [channel.name], principals: sim.ids([other]) },
    isAllowed: rights.canUnsubscribe(sim.model, userName, channel, other),
    apply: () => applyUnsubscribe(sim, other, channel),
  };
};

export const changeKind: ActionMaker = (sim) => {
  const { model } = sim;
  const name = sim.pickPerson();
  const channel = sim.pickChannelWhere((channel) => rights.canAdminister(model, name, channel));
  const kind = sim.pick(KINDS.filter((other) => other !== channel.kind));
  if (channel.is_archived) return archive(sim);
  const { invite_only, ...switches } = paramsOf(kind);
  return {
    who: name,
    line: `PATCH /streams/${channel.id}`,
    params: { is_private: invite_only, ...switches },
    isAllowed: rights.canChangeKind(model, name, channel, kind),
    apply: () => void (channel.kind = kind),
  };
};

export const grant: ActionMaker = (sim) => {
  const { model } = sim;
  const userName = sim.pickPerson();
  const channel = sim.pickChannelWhere((channel) => rights.canAdminister(model, userName, channel));
  if (channel.is_archived) return archive(sim);
  const name = sim.pick(Object.keys(CHANNEL_SETTINGS) as ChannelSetting[]);
  const value = sim.randomSetting(CHANNEL_SETTINGS[name].everyone);
  return {
    who: userName,
    line: `PATCH /streams/${channel.id}`,
    params: { [name]: { new: sim.settingParams(value) } },
    isAllowed: rights.canGrant(model, userName, channel, name, value),
    apply: () => sim.grant(channel, name, value),
  };
};

export const archive: ActionMaker = (sim) => {
  const [name, channel] = [sim.pickPerson(), sim.pickChannel()];
  const isClosed = channel.is_archived && sim.roll(5) > 0;
  if (isClosed) {
    return {
      who: name,
      line: `PATCH /streams/${channel.id}`,
      params: { is_archived: false },
      isAllowed: rights.canReopen(sim.model, name, channel),
      apply: () => void (channel.is_archived = false),
    };
  }
  return {
    who: name,
    line: `DELETE /streams/${channel.id}`,
    params: {},
    isAllowed: rights.canArchive(sim.model, name, channel),
    apply: () => void (channel.is_archived = true),
  };
};

export const changeRole: ActionMaker = (sim) => {
  const { model } = sim;
  const name = sim.pick<Name>(["olga", "olga", sim.pickPerson()]);
  const other = sim.pick<Name>(["ada", "mo", "bo", "cy", "gus"]);
  const role = sim.pick([200, 300, 400, 400, 600]);
  return {
    who: name,
    line: `PATCH /users/${sim.testServer.idOf(other)}`,
    params: { role },
    isAllowed: isAdmin(model, name),
    apply: () => {
      model.roles.set(other, role);
      // A bot's role is never above its owner's, and does not rise with it.
      if (other === "bo") model.roles.set("bot", Math.max(role, model.roles.get("bot")!));
    },
  };
};

export const addToGroup: ActionMaker = (sim) => {
  const { model } = sim;
  const name = sim.pick([...model.groups.keys()]);
  const { members } = model.groups.get(name)!;
  const other = sim.pick(PEOPLE.filter((person) => isActive(model, person)));
  const isIncluded = members.has(other);
  return {
    who: "olga",
    line: `POST /user_groups/${sim.groupId(name)}/members`,
    params: { [isIncluded ? "delete" : "add"]: sim.ids([other]) },
    isAllowed: true,
    apply: () => void (isIncluded ? members.delete(other) : members.add(other)),
  };
};

export const changeRealmPermission: ActionMaker = (sim) => {
  const { model } = sim;
  const name = sim.pick(Object.keys(REALM_SETTINGS) as RealmSetting[]);
  const userName = sim.pick<Name>(["olga", sim.pickPerson()]);
  const isWebPermission = name === "can_create_web_public_channel_group";
  const roles = ["role:nobody", "role:owners", "role:administrators", "role:moderators"];
  const value = isWebPermission
    ? group(sim.pick(roles))
    : sim.randomSetting(REALM_SETTINGS[name].everyone);
  return {
    who: userName,
    line: "PATCH /realm",
    params: { [name]: { new: sim.settingParams(value) } },
    isAllowed: isAdmin(model, userName),
    apply: () => void (model.realm[name] = value),
  };
};

/** Allows or forbids spectators. */
export const open: ActionMaker = (sim) => {
  const { model } = sim;
  const name = sim.pick<Name>(["olga", sim.pickPerson()]);
  const enable_spectator_access = !model.allowsSpectators || sim.roll(3) > 0;
  return {
    who: name,
    line: "PATCH /realm",
    params: { enable_spectator_access },
    isAllowed: isAdmin(model, name),
    apply: () => void (model.allowsSpectators = enable_spectator_access),
  };
};

/** Lets guests see all users, or only those with whom they share a channel or conversation. */
export const limitUserAccess: ActionMaker = (sim) => {
  const { model } = sim;
  const userName = sim.pick<Name>(["olga", sim.pickPerson()]);
  const name = model.guestsSeeAll ? "role:members" : "role:everyone";
  return {
    who: userName,
    line: "PATCH /realm",
    params: { can_access_all_users_group: { new: sim.groupId(name) } },
    isAllowed: isAdmin(model, userName),
    apply: () => void (model.guestsSeeAll = !model.guestsSeeAll),
  };
};

/** Deactivates a user, or reactivates a deactivated one. */
export const deactivateUser: ActionMaker = (sim) => {
  const { model } = sim;
  const other = sim.pick<Name>(["cy", "gus"]);
  const isAbsent = model.absent.has(other);
  const line = `/users/${sim.testServer.idOf(other)}`;
  return {
    who: "olga",
    line: isAbsent ? `POST ${line}/reactivate` : `DELETE ${line}`,
    params: {},
    isAllowed: true,
    apply: () => void (isAbsent ? model.absent.delete(other) : model.absent.add(other)),
  };
};
