// Passkeys and security keys: created on the account page, used at each sign-in.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { createHash } from "node:crypto";
import { Refusal } from "../../contract/errors/general.ts";
import { passkeyInvalid, passkeyNotFound, passkeysTooMany } from "../../contract/errors/people.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { Passkey } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { passkeysOf } from "./access.ts";
import { PASSKEYS_PER_USER_MAX } from "./rules.ts";

const CREDENTIAL_LENGTH_MAX = 65_536;

/**
 * The library is loaded on first use; the bundler would otherwise evaluate it before its
 * dependencies.
 */
async function webauthn() {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

/** Each ticket has its own challenge: it is used up together with the ticket. */
function challengeOf(ticket: string): string {
  return createHash("sha256").update(`passkey ${ticket}`).digest("base64url");
}

/** The relying party of WebAuthn. */
function relyingParty({ config }: Realm) {
  const { origin, hostname } = new URL(config.url);
  return { expectedOrigin: origin, expectedRPID: hostname };
}

/** Options for creating a passkey. */
export async function creationOptions(realm: Realm, user: User, ticket: string) {
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: realm.read.settings.name,
    rpID: relyingParty(realm).expectedRPID,
    userName: user.delivery_email,
    userDisplayName: user.full_name,
    challenge: Buffer.from(challengeOf(ticket), "base64url"),
    attestationType: "none",
    excludeCredentials: passkeysOf(realm.read, user.user_id).map(credentialOf),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });
}

/** Options for using a passkey. */
export async function requestOptions(
  realm: Realm,
  user_id: number,
  ticket: string,
  userVerification: "preferred" | "required" = "preferred",
) {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: relyingParty(realm).expectedRPID,
    challenge: Buffer.from(challengeOf(ticket), "base64url"),
    allowCredentials: passkeysOf(realm.read, user_id).map(credentialOf),
    userVerification,
  });
}

const credentialOf = ({ credential_id: id, transports }: Passkey) => ({ id, transports });

/** Verifies a new passkey. `addPasskey` stores it. */
export async function verifyNewPasskey(realm: Realm, ticket: string, credential: string) {
  const { verifyRegistrationResponse } = await webauthn();
  const verification = await verified(() =>
    verifyRegistrationResponse({
      response: parsed(credential) as RegistrationResponseJSON,
      expectedChallenge: challengeOf(ticket),
      requireUserVerification: false,
      ...relyingParty(realm),
    }),
  );
  if (!verification.verified) throw passkeyInvalid();
  const { id, publicKey, counter, transports } = verification.registrationInfo.credential;
  return {
    hash: hashOf(id),
    credential_id: id,
    public_key: Buffer.from(publicKey).toString("base64url"),
    counter,
    // The library passes them on unchecked. They only help browsers to find the passkey.
    transports: Array.isArray(transports)
      ? transports.filter((transport) => typeof transport === "string")
      : [],
  };
}

type NewPasskey = Awaited<ReturnType<typeof verifyNewPasskey>>;

export function addPasskey(tx: Writer, { user_id }: User, created: NewPasskey, name: string): void {
  if (tx.passkeys.has(created.hash)) throw passkeyInvalid();
  if (passkeysOf(tx, user_id).length >= PASSKEYS_PER_USER_MAX) throw passkeysTooMany();

  tx.passkeys.put({
    ...created,
    passkey_id: tx.next("passkeys"),
    user_id,
    name,
    created: tx.now,
    last_used: null,
  });
}

export function removePasskey(tx: Writer, { user_id }: User, passkey_id: number): void {
  const passkey = passkeysOf(tx, user_id).find((own) => own.passkey_id === passkey_id);
  if (!passkey) throw passkeyNotFound();

  tx.passkeys.delete(passkey.hash);
}

/**
 * Verifies the use of one of the user's passkeys. `usePasskey` records it.
 * `requireUserVerification`: the passkey has checked a PIN, a fingerprint or a face.
 */
export async function verifyPasskeyUse(
  realm: Realm,
  user_id: number,
  ticket: string,
  credential: string,
  requireUserVerification = false,
): Promise<Pick<Passkey, "hash" | "counter">> {
  const { verifyAuthenticationResponse } = await webauthn();
  const response = parsed(credential) as AuthenticationResponseJSON;
  if (typeof response.id !== "string") throw passkeyInvalid();
  const hash = hashOf(response.id);
  const passkey = realm.read.passkeys.get(hash);
  if (passkey?.user_id !== user_id) throw passkeyInvalid();
  const { credential_id: id, counter } = passkey;
  const publicKey = new Uint8Array(Buffer.from(passkey.public_key, "base64url"));
  const verification = await verified(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challengeOf(ticket),
      credential: { id, publicKey, counter },
      requireUserVerification,
      ...relyingParty(realm),
    }),
  );
  if (!verification.verified) throw passkeyInvalid();
  return { hash, counter: verification.authenticationInfo.newCounter };
}

/**
 * Many authenticators have no counter; if one does and it does not increase, the passkey was
 * cloned.
 */
export function usePasskey(tx: Writer, usedPasskey: Pick<Passkey, "hash" | "counter">): void {
  const passkey = tx.passkeys.get(usedPasskey.hash);
  if (!passkey) throw passkeyInvalid();
  const counts = passkey.counter > 0 || usedPasskey.counter > 0;
  if (counts && usedPasskey.counter <= passkey.counter) throw passkeyInvalid();

  tx.passkeys.put({ ...passkey, counter: usedPasskey.counter, last_used: tx.now });
}

/** The library throws an error if the verification fails. */
async function verified<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw passkeyInvalid();
  }
}

function parsed(credential: string): object {
  if (credential.length > CREDENTIAL_LENGTH_MAX) throw passkeyInvalid();
  try {
    const value = JSON.parse(credential) as unknown;
    if (typeof value === "object" && value !== null) return value;
  } catch {
    throw passkeyInvalid();
  }
  throw passkeyInvalid();
}

function hashOf(credential_id: string): string {
  return createHash("sha256").update(credential_id).digest("hex");
}
