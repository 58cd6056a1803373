// Presence: clients report that their user is active, and query other users.
import Type from "typebox";
import { userNotFound } from "../../contract/errors/channels.ts";
import { noPresenceData, presenceNotOfBots, statusInvalid } from "../../contract/errors/people.ts";
import { dict, unionOf, choice, seconds } from "../../contract/shapes/value-types.ts";
import { legacyPresenceShape, modernPresenceShape } from "../../contract/shapes/people.ts";
import { bool, defaulted, endpoint, int, nonNegativeInt, optional, text } from "../../endpoint.ts";
import type { Reader, Realm } from "../../realm.ts";
import type { Presence } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { accessUser, accessUserByEmail } from "../people/access.ts";
import { isBot } from "../rights/rules.ts";
import { userSetting } from "../settings/rules.ts";
import { afterPing, becomesOnline, hiddenTimes, HISTORY_DAYS, EVENT_PEOPLE_MAX } from "./rules.ts";
import { presences } from "./snapshot.ts";
import { presencesOf } from "./state.ts";
import { presenceChanged, singlePresence } from "./wire.ts";

/** Records activity of one of the user's clients in memory; it is stored periodically. */
export async function pingPresence(realm: Realm, user: User, isActive: boolean): Promise<void> {
  if (!userSetting(user, "presence_enabled")) return;
  const state = presencesOf(realm);
  await state.ready();
  const { now } = realm.read;
  const previousTimes = state.get(user.user_id);
  const times = afterPing(previousTimes, isActive, now);
  if (times === previousTimes) return;

  const presence = state.put(user.user_id, times);
  if (!becomesOnline(previousTimes, isActive, now)) return;
  if (realm.read.users.count() > EVENT_PEOPLE_MAX) return;
  emitPresence(realm, user, presence);
}

/** Applies a change of the presence setting at once. */
export async function showPresence(realm: Realm, user: User): Promise<void> {
  const state = presencesOf(realm);
  await state.ready();
  const { now } = realm.read;
  const timesWhenHidden = hiddenTimes(state.get(user.user_id), now);
  const timesWhenOnline = { active_timestamp: now, idle_timestamp: now };
  const times = userSetting(user, "presence_enabled") ? timesWhenOnline : timesWhenHidden;
  emitPresence(realm, user, state.put(user.user_id, times));
}

function emitPresence(realm: Realm, user: User, presence: Presence): void {
  if (realm.read.settings.presence_disabled) return;
  const event = presenceChanged(realm.read, user, presence, realm.clock.now() / 1000);
  realm.emitEphemeral(event, { to: "seers", user_id: user.user_id });
}

/** A crash loses only presence since the last checkpoint. */
export function checkpointPresence(realm: Realm): Promise<void> {
  return presencesOf(realm).save();
}

export const updatePresence = endpoint({
  summary: "Report your presence, and get that of others",
  tag: "People",
  params: {
    status: text,
    last_update_id: optional(int),
    history_limit_days: defaulted(nonNegativeInt, HISTORY_DAYS),
    ping_only: defaulted(bool, false),
    new_user_input: defaulted(bool, false),
    slim_presence: defaulted(bool, false),
  },
  answer: Type.Object({
    presence_last_update_id: Type.Integer(),
    server_timestamp: Type.Optional(Type.Number()),
    presences: Type.Optional(dict(unionOf(modernPresenceShape, legacyPresenceShape))),
  }),
  run: async ({ realm, user }, { status, last_update_id, ...params }) => {
    if (status !== "active" && status !== "idle") throw statusInvalid(status);
    await pingPresence(realm, user, status === "active");
    if (params.ping_only) return { presence_last_update_id: last_update_id ?? -1 };
    const isModern = params.slim_presence || last_update_id !== undefined;
    return presences(realm, user, {
      form: isModern ? "modern" : "legacy",
      last_update_id: last_update_id ?? -1,
      history_days: params.history_limit_days,
    });
  },
});

export const getUserPresence = endpoint({
  summary: "Get the presence of a user",
  tag: "People",
  params: { user_id_or_email: text },
  answer: Type.Object({
    presence: Type.Object({
      ...modernPresenceShape.properties,
      website: Type.Object({ status: choice("active", "idle"), timestamp: seconds }),
      aggregated: Type.Object({ status: choice("active", "idle", "offline"), timestamp: seconds }),
    }),
    server_timestamp: Type.Number(),
  }),
  run: ({ realm, user }, { user_id_or_email: name }) => {
    const person = accessPerson(realm.read, user, name);
    const presence = presencesOf(realm).get(person.user_id);
    if (!presence) throw noPresenceData(name);
    return {
      presence: singlePresence(person, presence, realm.read.now),
      server_timestamp: realm.clock.now() / 1000,
    };
  },
});

function accessPerson(reader: Reader, viewer: User, name: string): User {
  const person = /^\d+$/.test(name)
    ? accessUser(reader, viewer, Number(name))
    : accessUserByEmail(reader, viewer, name);
  if (!person.is_active) throw userNotFound();
  if (isBot(person)) throw presenceNotOfBots();
  return person;
}

export const getRealmPresence = endpoint({
  summary: "Get the presence of all users",
  tag: "People",
  params: {},
  answer: Type.Object({ presences: dict(legacyPresenceShape), server_timestamp: Type.Number() }),
  run: ({ realm, user }) => {
    const params = { form: "legacy", last_update_id: -1, history_days: HISTORY_DAYS } as const;
    const { presences: people, server_timestamp } = presences(realm, user, params);
    return { presences: people, server_timestamp };
  },
});
