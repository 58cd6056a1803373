// Proof of work before sign-up: cheap for one user, expensive for automated sign-ups.
import { createChallenge, randomInt, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/sha";
import { MINUTE_MS } from "../../contract/units.ts";
import { perRealm, type Realm } from "../../realm.ts";
import { Limiter } from "../../server/limit.ts";
import { type Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";

/** Number of tries for a browser, which takes about a second on a phone. */
const TRIES_MIN = 100_000;
const TRIES_MAX = 300_000;
/** Maximum time between displaying and submitting the form. */
const PROOF_MS = 30 * MINUTE_MS;
const PROOF_LENGTH_MAX = 4000;
const SECRET_BYTES = 32;

export const PROOF_SCRIPT = "/static/proof.js";
/** The form field, named as the ALTCHA widget names it. */
export const PROOF_FIELD = "altcha";

/** Valid for the lifetime of this process. */
const proofState = perRealm(({ clock }) => ({
  hmacSignatureSecret: random(),
  hmacKeySignatureSecret: random(),
  used: new Limiter(clock, { calls: 1, seconds: PROOF_MS / 1000 }),
}));

/** The field for the proof of work, which a script computes and fills in. */
export async function proofField(realm: Realm, { translate }: Translator): Promise<Html> {
  const { used: _, ...secrets } = proofState(realm);
  const challenge = await createChallenge({
    ...secrets,
    algorithm: "SHA-256",
    cost: 1,
    counter: randomInt(TRIES_MAX, TRIES_MIN),
    deriveKey,
    expiresAt: Math.ceil((realm.clock.now() + PROOF_MS) / 1000),
  });
  return markup`<input type="hidden" name="${PROOF_FIELD}" value=""
  data-challenge="${JSON.stringify(challenge)}">
<noscript><p class="hint">${translate("proof-of-work-notice")}</p></noscript>`;
}

/** Whether the work was done for this form and not used before. */
export async function useProof(realm: Realm, value: string): Promise<boolean> {
  const proof = decoded(value);
  if (!proof) return false;
  const { used, ...secrets } = proofState(realm);
  const { parameters, signature } = proof.challenge;
  const end = parameters.expiresAt ?? 0;
  if (typeof signature !== "string" || end * 1000 <= realm.clock.now()) return false;
  try {
    const { verified } = await verifySolution({ ...proof, ...secrets, deriveKey });
    return verified && used.take(signature).allowed;
  } catch {
    // The challenge did not come from this server.
    return false;
  }
}

type Proof = Pick<Parameters<typeof verifySolution>[0], "challenge" | "solution">;

function decoded(value: string): Proof | undefined {
  if (value.length > PROOF_LENGTH_MAX) return undefined;
  try {
    const proof = JSON.parse(atob(value)) as Partial<Proof> | null;
    const isComplete = proof?.challenge?.parameters && proof.solution;
    return isComplete ? (proof as Proof) : undefined;
  } catch {
    return undefined;
  }
}

const random = () =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url");
