// Creates a bot: an account owned by a user, with a key that the owner can read.
import Type, { type Static } from "typebox";
import {
  botConfigInvalid,
  botTypeInvalid,
  emailInvalid,
  embeddedBotsDisabled,
  integrationNotFound,
  interfaceInvalid,
  payloadUrlInvalid,
} from "../../../contract/errors/people.ts";
import {
  BOT_TYPES,
  EMBEDDED_BOT,
  INCOMING_WEBHOOK_BOT,
  MEMBER,
  OUTGOING_WEBHOOK_BOT,
} from "../../../contract/roles.ts";
import { botDefaultsShape } from "../../../contract/shapes/people.ts";
import { bool, defaulted, endpoint, int, json, line, optional, text } from "../../../endpoint.ts";
import type { Reader, Writer } from "../../../realm.ts";
import type { Bot } from "../../../schema/records-people.ts";
import type { User } from "../../../schema/records.ts";
import { checkBotName, checkCanHaveBots, checkCanMakeBots } from "../../bots/access.ts";
import { canNotify, decodeCanNotify } from "../../bots/can-notify.ts";
import { defaultsOf } from "../../bots/defaults.ts";
import { BOT_KEY_CLIENT, INTERFACES, isPayloadUrl } from "../../bots/rules.ts";
import { botOf, newBot } from "../../bots/wire.ts";
import { accessContentByName } from "../../channels/access.ts";
import { newApiKey } from "../../keys/actions.ts";
import { avatarUrl, hostOf } from "../../people/wire.ts";
import { randomKey } from "../../secrets/random.ts";
import { type NewKey, encryptedKey } from "../../secrets/encrypted.ts";
import { INTEGRATIONS } from "../../webhooks/rules.ts";
import { createUser } from "../actions.ts";
import { withPicture } from "./picture.ts";

interface NewBot {
  full_name: string;
  short_name: string;
  bot_type: number;
  payload_url: string;
  interface_type: number;
  service_name?: string | undefined;
  default_sending_stream?: string | undefined;
  default_events_register_stream?: string | undefined;
  default_all_public_streams: boolean;
  can_notify?: Static<typeof canNotify>;
}

/** Returns the bot, with the key that was created for it. */
export function createBot(tx: Writer, actingUser: User, options: NewBot, key: NewKey): User {
  const { bot_type, full_name } = options;
  checkKind(options);
  checkCanMakeBots(tx, actingUser, bot_type);
  const email = botAddress(tx, options.short_name);
  checkBotName(tx, full_name);
  checkCanHaveBots(tx, actingUser);
  const bot: Omit<Bot, "user_id"> = {
    ...newBot,
    default_sending_stream: channelNamed(tx, actingUser, options.default_sending_stream),
    default_events_register_stream: channelNamed(
      tx,
      actingUser,
      options.default_events_register_stream,
    ),
    default_all_public_streams: options.default_all_public_streams,
    can_notify: decodeCanNotify(tx, options.can_notify ?? "nobody"),
    service: bot_type === OUTGOING_WEBHOOK_BOT ? serviceOf(options) : null,
  };

  const bot_owner_id = actingUser.user_id;
  const role = MEMBER;
  const account = { email, full_name, role, bot_type, bot_owner_id, bot };
  const user = createUser(tx, account);
  newApiKey(tx, user, BOT_KEY_CLIENT, key);
  return user;
}

/** The bot's address, from the short name before `-bot`. */
export function botAddress(reader: Reader, short_name: string): string {
  const name = short_name.trim();
  if (name === "") throw emailInvalid();
  return `${name}-bot@${hostOf(reader.config.url)}`;
}

/** The channel with that name, if the user may read it; undefined without a name. */
export function channelNamed(reader: Reader, user: User, name: string | undefined): number | null {
  return name ? accessContentByName(reader, user, name).stream_id : null;
}

/** Rejects configuration data, because no kind of bot uses it. */
export function checkConfig(config_data: Record<string, string>): void {
  if (Object.keys(config_data).length > 0) throw botConfigInvalid();
}

function checkKind({ bot_type, service_name, payload_url, interface_type }: NewBot): void {
  if (!BOT_TYPES.includes(bot_type)) throw botTypeInvalid();
  if (bot_type === EMBEDDED_BOT) throw embeddedBotsDisabled();
  if (bot_type === INCOMING_WEBHOOK_BOT && service_name) {
    const isKnown = INTEGRATIONS.some(({ name }) => name === service_name);
    if (!isKnown) throw integrationNotFound(service_name);
  }
  if (bot_type !== OUTGOING_WEBHOOK_BOT) return;
  if (!isPayloadUrl(payload_url)) throw payloadUrlInvalid();
  if (!INTERFACES.includes(interface_type)) throw interfaceInvalid();
}

function serviceOf({ payload_url, interface_type }: NewBot): Bot["service"] {
  return { base_url: payload_url, interface: interface_type, token: randomKey() };
}

export const configData = json(Type.Record(Type.String(), Type.String()));

export const postBot = endpoint({
  summary: "Create a bot",
  tag: "Bots",
  body: "files",
  answer: Type.Object({
    user_id: Type.Integer(),
    api_key: Type.String(),
    avatar_url: Type.String(),
    ...botDefaultsShape.properties,
  }),
  refuses: ["BAD_IMAGE"],
  params: {
    full_name: text,
    short_name: line,
    bot_type: defaulted(int, 1),
    payload_url: defaulted(json(Type.String()), ""),
    service_name: optional(line),
    interface_type: defaulted(int, 1),
    config_data: defaulted(configData, {}),
    default_sending_stream: optional(text),
    default_events_register_stream: optional(text),
    default_all_public_streams: defaulted(bool, false),
    can_notify: defaulted(json(canNotify), "nobody"),
  },
  async run(context, { config_data, ...wanted }) {
    const { realm, user } = context;
    checkConfig(config_data);
    checkCanMakeBots(realm.read, user, wanted.bot_type);
    const key = encryptedKey(realm);
    return withPicture(context, (tx, setPicture) => {
      const { user_id } = createBot(tx, user, wanted, key);
      setPicture(user_id);
      return {
        user_id,
        api_key: key.key,
        avatar_url: avatarUrl(tx.users.get(user_id)!, false),
        ...defaultsOf(tx, user, botOf(tx, user_id)),
      };
    });
  },
});
