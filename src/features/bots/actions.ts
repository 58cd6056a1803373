// Bots: listed, given other keys, switched off.
import { endpoint, int } from "../../endpoint.ts";
import { userIsDeactivated } from "../../errors-channels.ts";
import { botKeyUnreadable } from "../../errors-people.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { User } from "../../records.ts";
import { newApiKey } from "../keys/actions.ts";
import { type MadeKey, sealedKey, unsealed } from "../keys/sealed.ts";
import { closeQueues, switchOff } from "../users/activity.ts";
import { avatarUrl } from "../users/wire.ts";
import { accessBot } from "./access.ts";
import { botOf, defaultsOf } from "./wire.ts";

const KEY_CLIENT = "bot";

export const getBots = endpoint({
  params: {},
  run({ realm, user }) {
    const { read } = realm;
    const own = read.users.by("owner", user.user_id).filter((bot) => bot.is_active);
    const bots = own.sort((a, b) => a.user_id - b.user_id);
    return {
      bots: bots.map((bot) => ({
        user_id: bot.user_id,
        username: bot.delivery_email,
        full_name: bot.full_name,
        api_key: keyOf(realm, bot) ?? null,
        avatar_url: avatarUrl(bot, false),
        ...defaultsOf(read, botOf(read, bot.user_id)),
      })),
    };
  },
});

export const getBotKey = endpoint({
  params: { bot_id: int },
  run({ realm, user }, { bot_id }) {
    const api_key = keyOf(realm, accessBot(realm.read, user, bot_id));
    if (api_key === undefined) throw botKeyUnreadable();
    return { api_key };
  },
});

/** Every key that the bot had stops working with this transaction. */
export function replaceBotKey(tx: Writer, by: User, bot_id: number, key: MadeKey): string {
  const bot = accessBot(tx, by, bot_id);

  for (const old of tx.api_keys.by("user", bot_id)) tx.api_keys.delete(old.key_id);
  return newApiKey(tx, bot, KEY_CLIENT, key);
}

export const regenerateBotKey = endpoint({
  params: { bot_id: int },
  run({ realm, user }, { bot_id }) {
    const key = sealedKey(realm);
    return realm.write((tx) => ({ api_key: replaceBotKey(tx, user, bot_id, key) }));
  },
});

export function deactivateBot(tx: Writer, by: User, bot_id: number): User[] {
  const bot = accessBot(tx, by, bot_id);
  if (!bot.is_active) throw userIsDeactivated();

  return switchOff(tx, bot);
}

export const deleteBot = endpoint({
  params: { bot_id: int },
  async run({ realm, user }, { bot_id }) {
    closeQueues(realm, await realm.write((tx) => deactivateBot(tx, user, bot_id)));
    return {};
  },
});

/** The newest that can be read: the operator may have made one that is shown once. */
function keyOf(realm: Realm, { user_id }: User): string | undefined {
  const keys = realm.read.api_keys.by("user", user_id).sort((a, b) => b.key_id - a.key_id);
  for (const row of keys) {
    const key = unsealed(realm, row);
    if (key !== undefined) return key;
  }
  return undefined;
}
