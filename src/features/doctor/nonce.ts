// Lets the doctor check that requests to the public URL reach this server, with a random nonce.
import Type from "typebox";
import { pathNotFound } from "../../contract/errors/general.ts";
import { nonNegativeInt, openEndpoint, optional, text } from "../../endpoint.ts";
import { perRealm, type Realm } from "../../realm.ts";
import { isForwardedHttps } from "../../server/caller/proxies.ts";

export const NONCE_PATH = "/.well-known/skein-check/";
export const HOLD_SECONDS_MAX = 90;
const TURN_MS = 200;

const nonces = perRealm(() => new Set<string>());

/** While the work runs, requests with its nonce are answered. */
export async function withNonce<T>(realm: Realm, work: (nonce: string) => Promise<T>): Promise<T> {
  const nonce = crypto.randomUUID();
  nonces(realm).add(nonce);
  try {
    return await work(nonce);
  } finally {
    nonces(realm).delete(nonce);
  }
}

const answer = Type.Object({
  nonce: Type.String(),
  /** Whether a proxy passed the client's IP address. */
  is_forwarded: Type.Boolean(),
  /** Whether a trusted proxy reported that the client connects over https. */
  is_https: Type.Boolean(),
});

/** `hold`: seconds to delay the response, to check whether proxies allow long polls. */
export const getNonce = openEndpoint({
  summary: "Check whether a request to the public URL has arrived",
  tag: "Server",
  params: { nonce: text, hold: optional(nonNegativeInt) },
  answer,
  async run({ realm, request, peer }, { nonce, hold = 0 }) {
    if (!nonces(realm).has(nonce)) throw pathNotFound();
    const until = realm.clock.awake() + Math.min(hold, HOLD_SECONDS_MAX) * 1_000;
    while (realm.clock.awake() < until && nonces(realm).has(nonce) && !realm.hub.isStopping) {
      await Bun.sleep(TURN_MS);
    }
    const peers = { requestIP: () => ({ address: peer }), timeout() {} };
    return {
      nonce,
      is_forwarded: request.headers.has("X-Forwarded-For"),
      is_https: isForwardedHttps({ request, peers }, realm.config),
    };
  },
});
