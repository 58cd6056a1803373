// Lists bots, regenerates their API keys and deactivates them.
import Type from "typebox";
import { userIsDeactivated } from "../../../contract/errors/channels.ts";
import { botKeyUnreadable } from "../../../contract/errors/people.ts";
import { list, nothing, nullable } from "../../../contract/shapes/value-types.ts";
import { botDefaultsShape } from "../../../contract/shapes/people.ts";
import { endpoint, int } from "../../../endpoint.ts";
import type { Realm, Writer } from "../../../realm.ts";
import type { User } from "../../../schema/records.ts";
import { accessBot } from "../../bots/access.ts";
import { defaultsOf } from "../../bots/defaults.ts";
import { BOT_KEY_CLIENT } from "../../bots/rules.ts";
import { botOf } from "../../bots/wire.ts";
import { replaceKeys } from "../../keys/actions.ts";
import { avatarUrl } from "../../people/wire.ts";
import { type NewKey, encryptedKey, decryptedKey } from "../../secrets/encrypted.ts";
import { closeQueues, deactivateWithBots } from "../activation.ts";

export const getBots = endpoint({
  summary: "List your bots",
  tag: "Bots",
  params: {},
  answer: Type.Object({
    bots: list(
      Type.Object({
        username: Type.String(),
        full_name: Type.String(),
        avatar_url: Type.String(),
        ...botDefaultsShape.properties, // Extension: null if the API key cannot be read.
        user_id: Type.Integer(),
        api_key: nullable(Type.String()),
      }),
    ),
  }),
  run({ realm, user }) {
    const { read } = realm;
    const own = read.users.listBy("owner", user.user_id).filter((bot) => bot.is_active);
    const bots = own.sort((a, b) => a.user_id - b.user_id);
    return {
      bots: bots.map((bot) => ({
        user_id: bot.user_id,
        username: bot.delivery_email,
        full_name: bot.full_name,
        api_key: keyOf(realm, bot) ?? null,
        avatar_url: avatarUrl(bot, false),
        ...defaultsOf(read, user, botOf(read, bot.user_id)),
      })),
    };
  },
});

export const getBotKey = endpoint({
  summary: "Get a bot's API key",
  tag: "Bots",
  params: { bot_id: int },
  answer: Type.Object({ api_key: Type.String() }),
  run({ realm, user }, { bot_id }) {
    const api_key = keyOf(realm, accessBot(realm.read, user, bot_id));
    if (api_key === undefined) throw botKeyUnreadable();
    return { api_key };
  },
});

/** All previous API keys of the bot end in this transaction. */
export function replaceBotKey(tx: Writer, actingUser: User, bot_id: number, key: NewKey): string {
  return replaceKeys(tx, accessBot(tx, actingUser, bot_id), BOT_KEY_CLIENT, key);
}

export const regenerateBotKey = endpoint({
  summary: "Replace a bot's API key",
  tag: "Bots",
  params: { bot_id: int },
  answer: Type.Object({ api_key: Type.String() }),
  run({ realm, user }, { bot_id }) {
    const key = encryptedKey(realm);
    return realm.write((tx) => ({ api_key: replaceBotKey(tx, user, bot_id, key) }));
  },
});

function deactivateBot(tx: Writer, actingUser: User, bot_id: number): User[] {
  const bot = accessBot(tx, actingUser, bot_id);
  if (!bot.is_active) throw userIsDeactivated();

  return deactivateWithBots(tx, bot);
}

export const deleteBot = endpoint({
  summary: "Deactivate a bot",
  tag: "Bots",
  params: { bot_id: int },
  answer: nothing,
  async run({ realm, user }, { bot_id }) {
    closeQueues(realm, await realm.write((tx) => deactivateBot(tx, user, bot_id)));
    return {};
  },
});

/** The newest readable key. The operator may have created one that is shown only once. */
function keyOf(realm: Realm, { user_id }: User): string | undefined {
  const keys = realm.read.api_keys.listBy("user", user_id).sort((a, b) => b.key_id - a.key_id);
  for (const row of keys) {
    const key = decryptedKey(realm, row);
    if (key !== undefined) return key;
  }
  return undefined;
}
