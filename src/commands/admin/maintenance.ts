// Maintenance commands.
import { type Examination, examine } from "../../features/doctor/run-checks.ts";
import { expireMessages, expiring } from "../../features/messages/delete/retention.ts";
import type { Realm } from "../../realm.ts";

export const upkeepCommands = {
  async doctor(realm: Realm, requested: Omit<Examination, "is_serving">, is_serving: boolean) {
    return examine(realm, { ...requested, is_serving });
  },

  /** Counts the messages that would be deleted now, by channel. */
  async planRetention(realm: Realm, _nothing: object) {
    return expiring(realm);
  },

  async runRetention(realm: Realm, _nothing: object) {
    const planned = await expiring(realm);
    // Each run deletes some messages. If the server stops, the rest is deleted after its next
    // start.
    for (let remaining = planned.messages; remaining > 0 && !realm.hub.isStopping;) {
      await expireMessages(realm);
      const { messages } = await expiring(realm);
      if (messages >= remaining) break;
      remaining = messages;
    }
    const { messages } = await expiring(realm);
    return { deleted: planned.messages - messages, left: messages };
  },

  async databaseFacts(realm: Realm, _nothing: object) {
    const { waiting: _, ...facts } = realm.measure();
    return { ...facts, newest_message_id: realm.read.last("messages") };
  },
};

/** Commands that create an organization if there is none. */
export const CREATE_ORGANIZATION: ReadonlySet<string> = new Set(["init", "runImport"]);

/** Commands that are useful before there is an organization. */
export const NEED_NO_ORGANIZATION: ReadonlySet<string> = new Set([
  ...CREATE_ORGANIZATION,
  ...["planImport", "doctor", "databaseFacts", "testMail"],
]);
