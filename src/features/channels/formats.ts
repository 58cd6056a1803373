// Where earlier versions kept subscriptions, taken from there when their data is opened.
import { plain } from "../../store/codec.ts";
import { AFTER, keyOf } from "../../store/key.ts";
import type { Migration } from "../../store/format/migrate.ts";

const BY_PERSON_PREFIX = 9;
const BY_CHANNEL_PREFIX = 158;

/** Those of a channel lie side by side: a bulk subscribe to it is written to few pages. */
export const subscriptionsByChannel: Migration = {
  to: 3,
  run(db) {
    const start = keyOf(BY_PERSON_PREFIX, []);
    for (const { key, value } of [...db.getRange({ start, end: start + AFTER })]) {
      const [user_id, stream_id] = plain.decode(value) as [number, number];
      void db.remove(key);
      void db.put(keyOf(BY_CHANNEL_PREFIX, [stream_id, user_id]), value);
    }
  },
};
