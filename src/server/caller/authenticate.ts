// Authenticates requests by API key, and records when a key was last used.
import {
  type Refusal,
  accountDeactivated,
  basicAuthenticationRequired,
  keyInvalid,
  keyMalformed,
  keyOfAnotherRealm,
  malformedAuthorization,
} from "../../contract/errors/general.ts";
import { signInDeactivated, webhookKeyInvalid } from "../../contract/errors/people.ts";
import { realmDeactivated, signInRealmDeactivated } from "../../contract/errors/realm.ts";
import type { Reader, Realm } from "../../realm.ts";
import type { ApiKey } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { foldedAddress } from "../../text/email-address.ts";
import type { Credentials, Fault } from "../plugins/basic-auth.ts";
import { hashOfSecret } from "./secrets.ts";
import type { InSession } from "./session.ts";

const KEY_LENGTH = 32;
const LAST_USED_SECONDS = 3600;

export interface ByKey {
  readonly user: User;
  readonly key: ApiKey;
  readonly session?: undefined;
}

export type Caller = ByKey | (InSession & { readonly key?: undefined });

/** Credentials in the form in which keys are looked up. */
interface Lookup {
  /** The email address, normalized for comparison. */
  readonly address: string;
  readonly hash: string;
}

/** A cached result, with the state of the tables that it depends on. */
interface KnownKey {
  readonly lookup: Lookup;
  readonly realm: Realm;
  readonly caller: ByKey;
  readonly as_of: number;
}

export class Authenticator {
  /** Avoids hashing the key of a busy client again. Contains valid keys only. */
  private readonly callersByCredentials = new WeakMap<Credentials, KnownKey>();
  private readonly touched = new Set<string>();

  /** `realms`: all organizations of this process. */
  constructor(
    private readonly realms: () => readonly Realm[],
    private readonly onError: (error: unknown) => void,
  ) {}

  /** The user name is an account's email address, the password one of its keys. */
  identify(realm: Realm, credentials: Credentials): ByKey {
    const cached = this.callersByCredentials.get(credentials);
    const as_of = stateOf(realm);
    let caller = cached?.realm === realm && cached.as_of === as_of ? cached.caller : undefined;
    if (caller === undefined) {
      const lookup = cached?.lookup ?? lookupOf(credentials);
      caller = callerIn(realm, lookup);
      if (caller === undefined) throw this.refusalOf(lookup);
      this.callersByCredentials.set(credentials, { lookup, realm, caller, as_of });
    }
    this.touch(realm, caller.key);
    return caller;
  }

  /** Authenticates by a key in the URL of a webhook. */
  identifyByKey(realm: Realm, text: string): ByKey {
    const key = realm.read.api_keys.findBy("hash", hashOfSecret(text));
    const user = key && realm.read.users.get(key.user_id);
    if (!user) throw webhookKeyInvalid();
    if (realm.read.deactivations.has(1)) throw signInRealmDeactivated();
    if (!user.is_active) throw signInDeactivated();

    this.touch(realm, key);
    return { user: withOwnerRole(realm.read, user), key };
  }

  /** Reports whether an unknown key is valid in another organization. */
  private refusalOf(lookup: Lookup): Refusal {
    const isKnown = this.realms().some((other) => callerIn(other, lookup) !== undefined);
    return isKnown ? keyOfAnotherRealm() : keyInvalid();
  }

  /** Records the use of the key, without delaying the response. */
  private touch(realm: Realm, { key_id, hash, last_used }: ApiKey) {
    const now = Math.floor(realm.clock.now() / 1000);
    if (now - last_used < LAST_USED_SECONDS || this.touched.has(hash)) return;
    this.touched.add(hash);
    realm
      .write((tx) => {
        const key = tx.api_keys.get(key_id);
        if (key !== undefined) tx.api_keys.put({ ...key, last_used: now });
      })
      .catch(this.onError)
      .finally(() => this.touched.delete(hash));
  }
}

/** A number that changes when a table that `callerIn` reads changes; each part only grows. */
function stateOf({ read }: Realm): number {
  return read.api_keys.revision + read.users.revision + read.deactivations.revision;
}

/** Returns undefined if the realm has no such key. */
function callerIn({ read }: Realm, { address, hash }: Lookup): ByKey | undefined {
  const key = read.api_keys.findBy("hash", hash);
  if (key === undefined) return undefined;
  const user = read.users.get(key.user_id);
  if (!user || foldedAddress(user.delivery_email) !== address) throw keyInvalid();
  if (read.deactivations.has(1)) throw realmDeactivated();
  if (!user.is_active) throw accountDeactivated();
  return { user: withOwnerRole(read, user), key };
}

/** Limits a bot to its owner's current role, whatever an earlier version stored. */
function withOwnerRole(read: Reader, user: User): User {
  const { bot_owner_id } = user;
  const owner = bot_owner_id === null ? undefined : read.users.get(bot_owner_id);
  return owner && user.role < owner.role ? { ...user, role: owner.role } : user;
}

function lookupOf({ username, password }: Credentials): Lookup {
  if (password.length !== KEY_LENGTH) throw keyMalformed();
  return { address: foldedAddress(username), hash: hashOfSecret(password) };
}

/** Returns the error for a header without readable credentials. */
export function refusalOfFault(fault: Fault): Refusal {
  return fault === "scheme" ? basicAuthenticationRequired() : malformedAuthorization();
}
