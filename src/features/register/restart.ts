// Notifies the previously connected clients that the server has restarted.
import { FEATURE_LEVEL, PROTOCOL_VERSION } from "../../contract/names.ts";
import type { Realm } from "../../realm.ts";
import { SERVER_GENERATION } from "../organization/setting-rules.ts";

/** Does nothing if no client is connected. */
export async function notifyOfRestart(realm: Realm): Promise<void> {
  if (realm.hub.counts.queues === 0) return;
  await realm.write((tx) => {
    tx.emit(
      {
        type: "restart",
        zulip_version: PROTOCOL_VERSION,
        zulip_merge_base: PROTOCOL_VERSION,
        zulip_feature_level: FEATURE_LEVEL,
        server_generation: SERVER_GENERATION,
      },
      { to: "realm" },
    );
  });
}
