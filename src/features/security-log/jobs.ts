// Logs outgoing requests that the guard rejects, with the account that caused them.
import {
  type GuardedClient,
  OutboundForbidden,
  type OutboundRequest,
} from "../../outbound/client.ts";
import type { Realm } from "../../realm.ts";
import { logSecurityEvent } from "./log.ts";

export type Client = Pick<GuardedClient, "send">;

/** Logs only the host of the URL: the rest may contain secrets. */
export function loggingClient(realm: Realm, client: Client, user_id: number | undefined): Client {
  return {
    send: (request: OutboundRequest) =>
      client.send(request).catch((error: unknown) => {
        if (error instanceof OutboundForbidden) {
          const host = URL.parse(request.url)?.host;
          logSecurityEvent(realm, "an outgoing call was refused", {
            user_id,
            host,
            reason: error.message,
          });
        }
        throw error;
      }),
  };
}
