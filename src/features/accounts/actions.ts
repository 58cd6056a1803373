// Creates, lists and loads accounts.
import { Type } from "typebox";
import { mustBeAdministrator } from "../../contract/errors/general.ts";
import { notAuthorizedToCreateUsers, passwordTooWeak } from "../../contract/errors/people.ts";
import { MEMBER } from "../../contract/roles.ts";
import { list } from "../../contract/shapes/value-types.ts";
import { memberShape } from "../../contract/shapes/people.ts";
import {
  bool,
  defaulted,
  endpoint,
  int,
  json,
  openEndpoint,
  optional,
  text,
} from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Bot } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { emitBot } from "../bots/events.ts";
import { accessAsViewer } from "../channels/access.ts";
import { subscribe } from "../channels/subscriptions/subscribe.ts";
import { defaultChannelIds } from "../channels/wire.ts";
import { awaitFullMembership } from "../groups/full-members.ts";
import { systemGroupsOf } from "../groups/wire.ts";
import { maxMessageIdSnapshot } from "../messages/unread/snapshot.ts";
import { hashPassword } from "../passwords/hash.ts";
import { isStrongPassword } from "../passwords/strength.ts";
import { accessActiveUser, accessUser, accessUserByEmail, visibilityTo } from "../people/access.ts";
import { checkedEmail, checkedName } from "../people/names.ts";
import { everyone } from "../people/everyone-wire.ts";
import { emitUser, emitPlaceholder } from "../people/events.ts";
import { membersAdded, userAdded, userObject } from "../people/wire.ts";
import { checkAddress } from "../realm/addresses.ts";
import { systemGroupId } from "../rights/access.ts";
import { isAdministrator, isGuest, isModerator, SPECTATOR } from "../rights/rules.ts";
import { firstSettings } from "../settings/wire.ts";
import { welcomeUser } from "./welcome.ts";

interface NewUser {
  email: string;
  full_name: string;
  role: number;
  /** If absent, the account can sign in only with an API key. */
  password_hash?: string;
  bot_type?: number;
  bot_owner_id?: number;
  /** Additional properties of bots. */
  bot?: Omit<Bot, "user_id">;
  is_system_bot?: boolean;
  is_awaited?: boolean;
  signed_up?: boolean;
  /** Channels that the user is subscribed to at first, instead of the default channels. */
  stream_ids?: readonly number[];
}

/** Creates an account, subscribed to the default channels unless it is a guest or bot. */
export function createUser(tx: Writer, newUser: NewUser): User {
  const full_name = checkedName(tx, newUser.full_name);
  const delivery_email = checkedEmail(tx, newUser.email);

  const user: User = {
    user_id: tx.next("users"),
    delivery_email,
    full_name,
    role: newUser.role,
    is_active: true,
    bot_type: newUser.bot_type ?? (newUser.is_system_bot ? 1 : null),
    bot_owner_id: newUser.bot_owner_id ?? null,
    is_system_bot: newUser.is_system_bot ?? false,
    date_joined: tx.now,
    avatar_source: tx.settings.default_avatar_source,
    avatar_version: 1,
    settings: isBot(newUser) ? {} : firstSettings(tx),
    can_create_users: false,
    ...(newUser.is_awaited && { is_awaited: true }),
    ...(newUser.signed_up && { signed_up: true }),
  };
  tx.users.put(user);
  if (newUser.password_hash !== undefined) {
    tx.passwords.put({ user_id: user.user_id, hash: newUser.password_hash });
  }
  if (newUser.bot) tx.bots.put({ user_id: user.user_id, ...newUser.bot });
  if (!user.is_system_bot) welcome(tx, user, newUser.stream_ids ?? firstChannels(tx, user));
  return user;
}

const isBot = ({ bot_type, is_system_bot }: NewUser) => bot_type !== undefined || is_system_bot;

/** Emits the new account, then its groups, then its channels. */
function welcome(tx: Writer, user: User, stream_ids: readonly number[]): void {
  emitUser(tx, user, (delivery_email) => userAdded(tx, user, delivery_email));
  for (const name of systemGroupsOf(tx, user)) {
    tx.emit(membersAdded(systemGroupId(tx, name), [user.user_id]), { to: "realm" });
  }
  awaitFullMembership(tx, user);
  if (user.bot_type !== null) emitBot(tx, user);
  else if (stream_ids.length > 0) {
    const channels = stream_ids.map((stream_id) => tx.channels.get(stream_id)!);
    subscribe(tx, null, [user], channels, { areNew: true });
  }
  emitPlaceholder(tx, user);
}

/** Guests join only channels that were selected for them. */
function firstChannels(reader: Reader, user: User): number[] {
  return isGuest(user) ? [] : defaultChannelIds(reader);
}

const viewParams = {
  client_gravatar: defaulted(bool, true),
  include_custom_profile_fields: defaulted(bool, false),
};

interface ViewParams {
  client_gravatar: boolean;
  include_custom_profile_fields: boolean;
}

const viewOf = ({ client_gravatar, include_custom_profile_fields }: ViewParams) => ({
  client_gravatar,
  custom_profile_fields: include_custom_profile_fields,
});

export const listUsers = openEndpoint({
  summary: "List users and bots",
  tag: "People",
  params: { ...viewParams, user_ids: optional(json(Type.Array(Type.Integer()))) },
  answer: Type.Object({ members: list(memberShape) }),
  run: ({ realm: { read }, user }, { user_ids, ...params }) => {
    const viewer = accessAsViewer(read, user);
    const isSeen = visibilityTo(read, viewer);
    const candidates = user_ids ? visibleUsers(read, user_ids) : everyone(read);
    const visible = candidates.filter((person) => !person.is_system_bot && isSeen(person));
    return { members: visible.map((person) => userObject(read, viewer, person, viewOf(params))) };
  },
});

function visibleUsers(reader: Reader, user_ids: readonly number[]): User[] {
  const ids = [...new Set(user_ids)].sort((a, b) => a - b);
  return ids.flatMap((user_id) => reader.users.get(user_id) ?? []);
}

export const getUser = openEndpoint({
  summary: "Get a user or bot",
  tag: "People",
  params: { user_id: int, ...viewParams },
  answer: Type.Object({
    user: Type.Object({
      ...memberShape.properties,
      // Visible to moderators, who can deactivate such accounts while they are new.
      signed_up: Type.Optional(Type.Literal(true)),
    }),
  }),
  run: ({ realm: { read }, user }, { user_id, ...params }) => {
    const viewer = accessAsViewer(read, user);
    const person = accessUser(read, viewer, user_id);
    const payload = userObject(read, viewer, person, viewOf(params));
    const isDetailed = viewer !== SPECTATOR && isModerator(viewer) && person.signed_up === true;
    return { user: isDetailed ? { ...payload, signed_up: true as const } : payload };
  },
});

export const getUserByEmail = endpoint({
  summary: "Get a user or bot by email address",
  tag: "People",
  params: { email: text, ...viewParams },
  answer: Type.Object({ user: memberShape }),
  run: ({ realm: { read }, user }, { email, ...params }) => {
    const person = accessUserByEmail(read, user, email);
    return { user: userObject(read, user, person, viewOf(params)) };
  },
});

export const getOwnUser = endpoint({
  summary: "Get your own account",
  tag: "People",
  params: {},
  answer: Type.Object({ ...memberShape.properties, max_message_id: Type.Integer() }),
  run: ({ realm: { read }, user }) => ({
    ...userObject(read, user, user, { client_gravatar: false, custom_profile_fields: true }),
    ...maxMessageIdSnapshot(read, user),
  }),
});

export const addUser = endpoint({
  summary: "Create an account",
  tag: "People",
  params: { email: text, password: text, full_name: text },
  answer: Type.Object({ user_id: Type.Integer() }),
  run: async ({ realm, user }, { email, password, full_name }) => {
    checkCanCreate(realm.read, user);
    // These checks are cheap, so they run before the password is hashed. The transaction repeats
    // them.
    checkedName(realm.read, full_name);
    checkAddress(realm.read, checkedEmail(realm.read, email));
    const guessableWords = [full_name, email, realm.read.settings.name];
    if (!(await isStrongPassword(password, guessableWords))) throw passwordTooWeak();

    const password_hash = await hashPassword(password);
    return realm.write((tx) => {
      checkCanCreate(tx, user);
      const account = { email, full_name, role: MEMBER, password_hash, is_awaited: true };
      const created = createUser(tx, account);
      welcomeUser(tx, created, null);
      return { user_id: created.user_id };
    });
  },
});

/** Checked again after the password was hashed, which takes long if many users sign in. */
function checkCanCreate(reader: Reader, actingUser: User): void {
  const user = accessActiveUser(reader, actingUser);
  if (!isAdministrator(user)) throw mustBeAdministrator();
  if (!user.can_create_users) throw notAuthorizedToCreateUsers();
}
