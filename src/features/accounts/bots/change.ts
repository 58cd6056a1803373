// Changes a bot: its name, address, owner, role and defaults.
import Type, { type Static } from "typebox";
import { insufficientPermission } from "../../../contract/errors/channels.ts";
import {
  botTypeInvalid,
  interfaceInvalid,
  newBotOwnerDeactivated,
  newBotOwnerIsBot,
  newBotOwnerNotFound,
  payloadUrlInvalid,
} from "../../../contract/errors/people.ts";
import { dict, nullable } from "../../../contract/shapes/value-types.ts";
import { botDefaultsShape } from "../../../contract/shapes/people.ts";
import { bool, defaulted, endpoint, int, json, optional, text } from "../../../endpoint.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Bot } from "../../../schema/records-people.ts";
import type { User } from "../../../schema/records.ts";
import { foldedAddress } from "../../../text/email-address.ts";
import { changeAvatar } from "../../avatars/upload.ts";
import { accessBot, checkBotName, checkCanHaveBots } from "../../bots/access.ts";
import { canNotify, decodeCanNotify, isSameCanNotify } from "../../bots/can-notify.ts";
import { botAdded, defaultsOf } from "../../bots/defaults.ts";
import { INTERFACES, isPayloadUrl } from "../../bots/rules.ts";
import { emitBotChange, emitBotDefaults } from "../../bots/events.ts";
import { botOf, botRemoved, servicesOf } from "../../bots/wire.ts";
import { checkedEmail } from "../../people/names.ts";
import { avatarUrl, userUpdated } from "../../people/wire.ts";
import { isAdministrator, isBot } from "../../rights/rules.ts";
import { type NewKey, encryptedKey } from "../../secrets/encrypted.ts";
import { confirmationParams } from "../../two-factor/confirm.ts";
import { changeRole, confirmRoleChange, lowerRolesOfBots, renameUser } from "../changes.ts";
import { replaceBotKey } from "./actions.ts";
import { botAddress, channelNamed, checkConfig, configData } from "./create.ts";
import { withPicture } from "./picture.ts";

function renameBot(tx: Writer, actingUser: User, bot_id: number, full_name: string): void {
  accessBot(tx, actingUser, bot_id);
  checkBotName(tx, full_name, bot_id);

  renameUser(tx, bot_id, full_name);
}

/** Changes the name before `-bot` in the address that the bot's keys sign in with. */
function setBotAddress(tx: Writer, actingUser: User, bot_id: number, short_name: string): void {
  const bot = accessBot(tx, actingUser, bot_id);
  const address = botAddress(tx, short_name);
  if (address === bot.delivery_email) return;
  const isOtherAddress = foldedAddress(address) !== foldedAddress(bot.delivery_email);
  const delivery_email = isOtherAddress ? checkedEmail(tx, address) : address;

  tx.users.put({ ...bot, delivery_email });
  const audience = { to: "seers", user_id: bot_id } as const;
  tx.emit(userUpdated(bot_id, { delivery_email }), audience);
  tx.emit(userUpdated(bot_id, { new_email: delivery_email }), audience);
  // A Gravatar depends on the address.
  const { avatar_source, avatar_key = null } = bot;
  if (avatar_source === "G") changeAvatar(tx, bot_id, { avatar_source, avatar_key });
}

/**
 * A bot can post where its owner can, so no user may become the owner of a bot whose keys others
 * know. Only administrators can change the owner, and the bot gets the new key that is passed here.
 */
function transferBot(
  tx: Writer,
  actingUser: User,
  bot_id: number,
  bot_owner_id: number,
  key: NewKey,
): void {
  const bot = accessBot(tx, actingUser, bot_id);
  if (bot_owner_id === bot.bot_owner_id) return;
  if (!isAdministrator(actingUser)) throw insufficientPermission();
  const owner = tx.users.get(bot_owner_id);
  if (!owner || owner.is_system_bot) throw newBotOwnerNotFound();
  if (!owner.is_active) throw newBotOwnerDeactivated();
  if (isBot(owner)) throw newBotOwnerIsBot();
  checkCanHaveBots(tx, owner);

  replaceBotKey(tx, actingUser, bot_id, key);
  tx.users.put({ ...bot, bot_owner_id });
  lowerRolesOfBots(tx, owner);
  const former = bot.bot_owner_id === null ? undefined : tx.users.get(bot.bot_owner_id);
  if (former && !isAdministrator(former)) {
    tx.emit(botRemoved(bot_id), { to: "people", user_ids: [former.user_id] });
  }
  if (!isAdministrator(owner)) {
    tx.emit(botAdded(tx, owner, bot_id), { to: "people", user_ids: [bot_owner_id] });
  }
  tx.emit(userUpdated(bot_id, { bot_owner_id }), { to: "seers", user_id: bot_id });
}

/** Sets the URL and payload format of an outgoing webhook. */
function setWebhookUrl(
  tx: Writer,
  actingUser: User,
  bot_id: number,
  params: { base_url?: string | undefined; interface?: number | undefined },
): void {
  accessBot(tx, actingUser, bot_id);
  const bot = botOf(tx, bot_id);
  if (bot.service === null) throw botTypeInvalid();
  const { base_url = bot.service.base_url, interface: form = bot.service.interface } = params;
  if (!isPayloadUrl(base_url)) throw payloadUrlInvalid();
  if (!INTERFACES.includes(form)) throw interfaceInvalid();
  if (base_url === bot.service.base_url && form === bot.service.interface) return;

  const updatedBot = { ...bot, service: { ...bot.service, base_url, interface: form } };
  tx.bots.put(updatedBot);
  emitBotChange(tx, bot_id, { services: servicesOf(updatedBot) });
}

type Defaults = Partial<
  Pick<
    Bot,
    "default_sending_stream" | "default_events_register_stream" | "default_all_public_streams"
  >
>;

function setBotDefaults(tx: Writer, actingUser: User, bot_id: number, input: Defaults): void {
  accessBot(tx, actingUser, bot_id);
  const bot = botOf(tx, bot_id);
  const names = Object.keys(input) as (keyof Defaults)[];
  const changedNames = names.filter((name) => input[name] !== bot[name]);
  if (changedNames.length === 0) return;

  const after: Bot = { ...bot, ...input };
  tx.bots.put(after);
  emitBotDefaults(tx, after, changedNames);
}

/**
 * Stores the choice even if it equals the previous value, because the doctor lists webhooks whose
 * owner has chosen nothing.
 */
function setCanNotify(
  tx: Writer,
  actingUser: User,
  bot_id: number,
  requested: Static<typeof canNotify>,
): void {
  accessBot(tx, actingUser, bot_id);
  const can_notify = decodeCanNotify(tx, requested);
  const bot = botOf(tx, bot_id);
  if (isSameCanNotify(bot.can_notify, can_notify)) return;

  const after: Bot = { ...bot, can_notify };
  tx.bots.put(after);
  emitBotDefaults(tx, after, ["can_notify"]);
}

interface BotChange {
  full_name?: string | undefined;
  short_name?: string | undefined;
  role?: number | undefined;
  bot_owner_id?: number | undefined;
  service_payload_url?: string | undefined;
  service_interface?: number | undefined;
  default_sending_stream?: string | undefined;
  default_events_register_stream?: string | undefined;
  default_all_public_streams?: boolean | undefined;
  can_notify?: Static<typeof canNotify> | undefined;
}

function changeBot(
  tx: Writer,
  actingUser: User,
  bot_id: number,
  botChange: BotChange,
  key: NewKey,
): void {
  const { full_name, short_name, role, service_payload_url: base_url } = botChange;
  if (full_name !== undefined) renameBot(tx, actingUser, bot_id, full_name);
  if (short_name !== undefined) setBotAddress(tx, actingUser, bot_id, short_name);
  if (role !== undefined) changeRole(tx, actingUser, bot_id, role);
  if (base_url !== undefined || botChange.service_interface !== undefined) {
    setWebhookUrl(tx, actingUser, bot_id, { base_url, interface: botChange.service_interface });
  }
  setBotDefaults(tx, actingUser, bot_id, defaultsInRequest(tx, actingUser, botChange));
  if (botChange.can_notify !== undefined)
    setCanNotify(tx, actingUser, bot_id, botChange.can_notify);
  // Must be last, because the previous owner may no longer change the bot.
  if (botChange.bot_owner_id !== undefined)
    transferBot(tx, actingUser, bot_id, botChange.bot_owner_id, key);
}

function defaultsInRequest(reader: Reader, actingUser: User, botChange: BotChange): Defaults {
  const input: Defaults = {};
  for (const name of ["default_sending_stream", "default_events_register_stream"] as const) {
    if (botChange[name] !== undefined)
      input[name] = channelNamed(reader, actingUser, botChange[name]);
  }
  const { default_all_public_streams: all } = botChange;
  return all === undefined ? input : { ...input, default_all_public_streams: all };
}

export const patchBot = endpoint({
  summary: "Change a bot",
  tag: "Bots",
  body: "files",
  answer: Type.Object({
    full_name: Type.String(),
    avatar_url: Type.String(),
    service_interface: nullable(Type.Integer()),
    service_payload_url: nullable(Type.String()),
    config_data: dict(Type.String()),
    ...botDefaultsShape.properties,
    bot_owner: nullable(Type.String()),
  }),
  refuses: ["BAD_IMAGE"],
  params: {
    bot_id: int,
    full_name: optional(text),
    short_name: optional(text),
    role: optional(int),
    bot_owner_id: optional(int),
    service_payload_url: optional(json(Type.String())),
    service_interface: optional(int),
    config_data: defaulted(configData, {}),
    default_sending_stream: optional(text),
    default_events_register_stream: optional(text),
    default_all_public_streams: optional(bool),
    can_notify: optional(json(canNotify)),
    // In a browser, for a change of the role.
    ...confirmationParams,
  },
  async run(context, { bot_id, config_data, password, ticket, credential, ...params }) {
    const { realm, user } = context;
    accessBot(realm.read, user, bot_id);
    checkConfig(config_data);
    const proof = { password, ticket, credential };
    const actor = await confirmRoleChange(context, bot_id, params.role, proof);
    const key = encryptedKey(realm);
    return withPicture(context, (tx, setPicture) => {
      const actingUser = actor(tx);
      accessBot(tx, actingUser, bot_id);
      setPicture(bot_id);
      changeBot(tx, actingUser, bot_id, params, key);
      return changedBot(tx, actingUser, bot_id);
    });
  },
});

function changedBot(reader: Reader, viewer: User, bot_id: number) {
  const user = reader.users.get(bot_id)!;
  const bot = botOf(reader, bot_id);
  const owner = user.bot_owner_id === null ? undefined : reader.users.get(user.bot_owner_id);
  return {
    full_name: user.full_name,
    avatar_url: avatarUrl(user, false),
    service_interface: bot.service?.interface ?? null,
    service_payload_url: bot.service?.base_url ?? null,
    config_data: {},
    ...defaultsOf(reader, viewer, bot),
    bot_owner: owner?.delivery_email ?? null,
  };
}
