// Migration of subscriptions from an earlier storage format.
import { msgpack } from "../../store/codec.ts";
import { AFTER, keyOf } from "../../store/key.ts";
import type { Migration } from "../../store/format/migrate.ts";

const BY_PERSON_PREFIX = 9;
const BY_CHANNEL_PREFIX = 158;

/**
 * Stores the subscriptions of a channel side by side, so that a bulk subscribe changes few pages.
 */
export const subscriptionsByChannel: Migration = {
  to: 3,
  run(db) {
    const start = keyOf(BY_PERSON_PREFIX, []);
    for (const { key, value } of [...db.getRange({ start, end: start + AFTER })]) {
      const [user_id, stream_id] = msgpack.decode(value) as [number, number];
      void db.remove(key);
      void db.put(keyOf(BY_CHANNEL_PREFIX, [stream_id, user_id]), value);
    }
  },
};
