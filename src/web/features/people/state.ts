/** The users of the organization as far as visible, and the current user. */
import type { Static } from "typebox";
import { ADMINISTRATOR, GUEST, MODERATOR, OWNER } from "../../../contract/roles.ts";
import type { profileFieldShape } from "../../../contract/shapes/organization.ts";
import type { accountShape } from "../../../contract/shapes/people.ts";
import type { Changed, Event, Snapshot, ExclusiveUnion } from "../../contract/snapshot.ts";

export type Person = Static<typeof accountShape>;

export type ProfileField = Static<typeof profileFieldShape>;

type OwnFields = Pick<Snapshot, (typeof OWN_FIELDS)[number] | (typeof OWN_ONLY_FIELDS)[number]>;
type OwnBot = NonNullable<Snapshot["realm_bots"]>[number];

export interface People {
  /** 0 for spectators, who have no account. */
  me: number;
  /** Fields that the snapshot has only of the current user. */
  own: OwnFields;
  active: Map<number, Person>;
  deactivated: Map<number, Person>;
  /** System bots, which exist in every organization. */
  system: Map<number, Person>;
  /** The user's own bots, or all for administrators, with data for owners only. */
  bots: Map<number, OwnBot>;
  fields: readonly ProfileField[];
  /** The time (in seconds) at which each user was muted. */
  muted: Map<number, number>;
}

const OWN_FIELDS = [
  "full_name",
  "email",
  "delivery_email",
  "avatar_url",
  "is_owner",
  "is_admin",
  "is_guest",
] as const;
const OWN_ONLY_FIELDS = ["is_moderator", "avatar_source", "avatar_url_medium"] as const;

export const PEOPLE_FIELDS = [
  "user_id",
  ...OWN_FIELDS,
  ...OWN_ONLY_FIELDS,
  "realm_users",
  "realm_non_active_users",
  "cross_realm_bots",
  "realm_bots",
  "custom_profile_fields",
  "muted_users",
] as const;

export function hydratePeople(snapshot: Snapshot): People {
  const { realm_users, realm_non_active_users, cross_realm_bots, realm_bots } = snapshot;
  return {
    me: snapshot.user_id ?? 0,
    own: ownFieldsOf(snapshot),
    active: byId(realm_users),
    deactivated: byId(realm_non_active_users),
    system: byId(cross_realm_bots),
    bots: byId(realm_bots),
    fields: snapshot.custom_profile_fields ?? [],
    muted: mutedUsersOf(snapshot.muted_users ?? []),
  };
}

function ownFieldsOf(snapshot: Snapshot): OwnFields {
  const ownFields: OwnFields = {};
  for (const name of [...OWN_FIELDS, ...OWN_ONLY_FIELDS])
    if (name in snapshot) Object.assign(ownFields, { [name]: snapshot[name] });
  return ownFields;
}

export function dehydratePeople(people: People): Partial<Snapshot> {
  return {
    user_id: people.me,
    ...people.own,
    realm_users: [...people.active.values()],
    realm_non_active_users: [...people.deactivated.values()],
    cross_realm_bots: [...people.system.values()],
    realm_bots: [...people.bots.values()],
    custom_profile_fields: people.fields,
    muted_users: [...people.muted].map(([id, timestamp]) => ({ id, timestamp })),
  };
}

/** Any known user, including deactivated ones. */
export function personOf(people: People, user_id: number): Person | undefined {
  const { active, deactivated, system } = people;
  return active.get(user_id) ?? deactivated.get(user_id) ?? system.get(user_id);
}

export function reducePeople(people: People, event: Event, changed: Changed): void {
  switch (event.type) {
    case "realm_user":
      reducePerson(people, event, changed);
      return;
    case "realm_bot":
      reduceBot(people, event, changed);
      return;
    case "custom_profile_fields":
      reduceFields(people, event.fields);
      changed.add("fields").add("users");
      return;
    case "muted_users":
      people.muted = mutedUsersOf(event.muted_users);
      changed.add("muted-users");
  }
}

function reducePerson(people: People, { op, person }: Event<"realm_user">, changed: Changed): void {
  const { user_id } = person;
  changed.add("users").add(`user:${user_id}`);
  if (op === "remove") {
    people.active.delete(user_id);
    people.deactivated.delete(user_id);
  } else if (op === "add") {
    const { is_active: _always, ...user } = person;
    people.deactivated.delete(user_id);
    people.active.set(user_id, user);
  } else {
    const existing = people.active.get(user_id) ?? people.deactivated.get(user_id);
    if (existing) updatePerson(people, existing, person);
  }
}

type PersonChange = ExclusiveUnion<Extract<Event<"realm_user">, { op: "update" }>["person"]>;

function updatePerson(people: People, person: Person, change: PersonChange): void {
  const { new_email, custom_profile_field, is_active, ...rest } = change;
  const { avatar_source, avatar_url_medium, ...fields } = rest;
  Object.assign(person, fields);
  if (new_email !== undefined) person.email = new_email;
  if (custom_profile_field) updateField(person, custom_profile_field);
  if ("role" in fields) {
    person.is_owner = person.role === OWNER;
    person.is_admin = person.role <= ADMINISTRATOR;
    person.is_guest = person.role === GUEST;
  }
  if (person.user_id === people.me) {
    if (avatar_source) people.own.avatar_source = avatar_source;
    if (avatar_url_medium) people.own.avatar_url_medium = avatar_url_medium;
    updateOwn(people, person);
  }
  if (is_active === undefined) return;
  people.active.delete(person.user_id);
  people.deactivated.delete(person.user_id);
  (is_active ? people.active : people.deactivated).set(person.user_id, person);
}

type FieldValue = NonNullable<PersonChange["custom_profile_field"]>;

function updateField(person: Person, { id, value, ...rendered }: FieldValue): void {
  const { [id]: _before, ...others } = person.profile_data ?? {};
  person.profile_data = value === null ? others : { ...others, [id]: { value, ...rendered } };
}

function updateOwn({ own }: People, person: Person): void {
  for (const name of OWN_FIELDS) if (name in own) Object.assign(own, { [name]: person[name] });
  own.is_moderator = person.role <= MODERATOR;
  // A client that computes Gravatar URLs itself receives its own URL in the snapshot.
  if (person.avatar_url === null) own.avatar_url = gravatarUrl(own.avatar_url_medium);
}

function gravatarUrl(medium: string | undefined): string {
  return String(medium).replace(/&s=500$/, "");
}

function reduceBot({ bots }: People, { op, bot }: Event<"realm_bot">, changed: Changed): void {
  changed.add("bots");
  if (op === "delete") bots.delete(bot.user_id);
  else if (op === "add") bots.set(bot.user_id, bot);
  else Object.assign(bots.get(bot.user_id) ?? {}, bot);
}

/** Values of removed fields are removed. */
function reduceFields(people: People, fields: readonly ProfileField[]): void {
  people.fields = fields;
  const fieldIds = new Set(fields.map(({ id }) => `${id}`));
  for (const person of [...people.active.values(), ...people.deactivated.values()]) {
    if (!person.profile_data) continue;
    const values = Object.entries(person.profile_data).filter(([id]) => fieldIds.has(id));
    person.profile_data = Object.fromEntries(values);
  }
}

function byId<T extends { user_id: number }>(list: readonly T[] = []): Map<number, T> {
  return new Map(list.map((user) => [user.user_id, user]));
}

function mutedUsersOf(list: readonly { id: number; timestamp: number }[]): Map<number, number> {
  return new Map(list.map(({ id, timestamp }) => [id, timestamp]));
}
