// Making a bot: an account that a person owns, with a key that the owner can read.
import Type from "typebox";
import { bool, defaulted, endpoint, int, json, optional, text } from "../../endpoint.ts";
import {
  botTypeInvalid,
  embeddedBotsDisabled,
  emailInvalid,
  integrationNotFound,
  interfaceInvalid,
  payloadUrlInvalid,
} from "../../errors.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Bot, User } from "../../records.ts";
import { accessContentByName } from "../channels/access.ts";
import { newApiKey } from "../keys/actions.ts";
import { randomKey } from "../keys/random.ts";
import { type MadeKey, sealedKey } from "../keys/sealed.ts";
import { createUser } from "../users/actions.ts";
import { MEMBER } from "../users/rules.ts";
import { avatarUrl, hostOf } from "../users/wire.ts";
import { checkBotName, checkMayMakeBots } from "./access.ts";
import {
  BOT_TYPES,
  EMBEDDED_BOT,
  INCOMING_WEBHOOK_BOT,
  INTERFACES,
  isPayloadUrl,
  OUTGOING_WEBHOOK_BOT,
} from "./rules.ts";
import { botOf, defaultsOf, newBot } from "./wire.ts";

export interface NewBot {
  full_name: string;
  short_name: string;
  bot_type: number;
  payload_url: string;
  interface_type: number;
  service_name?: string | undefined;
  default_sending_stream?: string | undefined;
  default_events_register_stream?: string | undefined;
  default_all_public_streams: boolean;
}

const KEY_CLIENT = "bot";

/** Gives the bot; its key is the one that was made for it. */
export function createBot(tx: Writer, by: User, wanted: NewBot, key: MadeKey): User {
  const { bot_type, full_name } = wanted;
  checkKind(wanted);
  checkMayMakeBots(tx, by, bot_type);
  const email = botAddress(tx, wanted.short_name);
  checkBotName(tx, full_name);
  const bot: Omit<Bot, "user_id"> = {
    ...newBot,
    default_sending_stream: channelNamed(tx, by, wanted.default_sending_stream),
    default_events_register_stream: channelNamed(tx, by, wanted.default_events_register_stream),
    default_all_public_streams: wanted.default_all_public_streams,
    service: bot_type === OUTGOING_WEBHOOK_BOT ? serviceOf(wanted) : null,
  };

  const bot_owner_id = by.user_id;
  const role = MEMBER;
  const account = { email, full_name, role, bot_type, bot_owner_id, bot };
  const user = createUser(tx, by, account);
  newApiKey(tx, user, KEY_CLIENT, key);
  return user;
}

/** The bot's address, by the name that stands before `-bot`. */
export function botAddress(reader: Reader, short_name: string): string {
  const name = short_name.trim();
  if (name === "") throw emailInvalid();
  return `${name}-bot@${hostOf(reader.config.url)}`;
}

/** The channel of that name, if the person may read it; nothing for no name. */
export function channelNamed(reader: Reader, user: User, name: string | undefined): number | null {
  return name ? accessContentByName(reader, user, name).stream_id : null;
}

function checkKind({ bot_type, service_name, payload_url, interface_type }: NewBot): void {
  if (!BOT_TYPES.includes(bot_type)) throw botTypeInvalid();
  if (bot_type === EMBEDDED_BOT) throw embeddedBotsDisabled();
  // There are no integrations yet that would need a bot of their own.
  if (bot_type === INCOMING_WEBHOOK_BOT && service_name) throw integrationNotFound(service_name);
  if (bot_type !== OUTGOING_WEBHOOK_BOT) return;
  if (!isPayloadUrl(payload_url)) throw payloadUrlInvalid("payload_url");
  if (!INTERFACES.includes(interface_type)) throw interfaceInvalid();
}

function serviceOf({ payload_url, interface_type }: NewBot): Bot["service"] {
  return { base_url: payload_url, interface: interface_type, token: randomKey() };
}

export const postBot = endpoint({
  params: {
    full_name: text,
    short_name: text,
    bot_type: defaulted(int, 1),
    payload_url: defaulted(json(Type.String()), ""),
    service_name: optional(text),
    interface_type: defaulted(int, 1),
    default_sending_stream: optional(text),
    default_events_register_stream: optional(text),
    default_all_public_streams: defaulted(bool, false),
  },
  async run({ realm, user }, wanted) {
    const key = sealedKey(realm);
    return realm.write((tx) => {
      const bot = createBot(tx, user, wanted, key);
      return {
        user_id: bot.user_id,
        api_key: key.key,
        avatar_url: avatarUrl(bot, false),
        ...defaultsOf(tx, botOf(tx, bot.user_id)),
      };
    });
  },
});
