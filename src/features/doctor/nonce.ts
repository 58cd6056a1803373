// Answers who asks at the public address with a word that the doctor has just thought of.
import Type from "typebox";
import { pathNotFound } from "../../contract/errors/general.ts";
import { nonNegativeInt, openEndpoint, optional, text } from "../../endpoint.ts";
import { perRealm, type Realm } from "../../realm.ts";
import { isForwardedHttps } from "../../server/asker/proxies.ts";

export const NONCE_PATH = "/.well-known/skein-check/";
export const HOLD_SECONDS_MAX = 90;
const TURN_MS = 200;

const nonces = perRealm(() => new Set<string>());

/** For as long as the work goes on, whoever asks for this word is told that it is known here. */
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
  /** Whether somebody on the way said whom the request comes from. */
  is_forwarded: Type.Boolean(),
  /** Whether one that is believed said that it came over https. */
  is_https: Type.Boolean(),
});

/** `hold`: as long as a poll may be held, to see whether all on the way lets it be. */
export const getNonce = openEndpoint({
  summary: "Say whether a check of the address that people use has arrived",
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
