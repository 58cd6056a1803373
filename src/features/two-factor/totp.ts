// Authenticator apps: a shared secret, and six-digit codes derived from it (TOTP).
import type { TOTP } from "otpauth";
import type { Realm, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { encryptText, decryptText } from "../secrets/encrypted.ts";
import { hasApp } from "./access.ts";

const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
const DIGITS = 6;
/** Clocks may be wrong and codes take time to type, so the adjacent periods are accepted too. */
const PERIODS_TOLERATED = 1;
const NEVER_USED = -1;
/** Time for the user to enter the first code after the secret was displayed. */
export const CONFIRM_SECONDS = 1_800;

/** Creates a secret for an app, before the transaction that stores it. */
export async function newAppSecret(realm: Realm, user: User) {
  const { Secret } = await import("otpauth");
  const secret = new Secret({ size: SECRET_BYTES }).base32;
  const sealed = encryptText(realm, secret, appSecretContext(user.user_id));
  const uri = (await totpOf(secret, { user, issuer: realm.read.settings.name })).toString();
  return { secret, sealed, uri };
}

/** The app counts only after its first code, which must arrive before the secret expires. */
export function storeAppSecret(tx: Writer, { user_id }: User, sealed: string): void {
  if (hasApp(tx, user_id)) return;

  tx.totps.put({ user_id, sealed, created: tx.now, confirmed: null, last_period: NEVER_USED });
}

/** The period to which this code belongs; undefined if it belongs to no current one. */
export async function periodOf(realm: Realm, user_id: number, code: string) {
  const row = realm.read.totps.get(user_id);
  const isOver = row?.confirmed === null && realm.read.now - row.created > CONFIRM_SECONDS;
  const secret = row && !isOver && decryptText(realm, row.sealed, appSecretContext(user_id));
  if (!secret || !isAppCode(code)) return undefined;
  const totp = await totpOf(secret);
  const timestamp = realm.clock.now();
  const delta = totp.validate({ token: code, timestamp, window: PERIODS_TOLERATED });
  return delta === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
}

/** Uses up the code of a period: true once, and never for an earlier period. */
export function usePeriod(tx: Writer, user_id: number, period: number): boolean {
  const row = tx.totps.get(user_id);
  if (row === undefined || period <= row.last_period) return false;

  tx.totps.put({ ...row, last_period: period, confirmed: row.confirmed ?? tx.now });
  return true;
}

export function removeApp(tx: Writer, user_id: number): void {
  tx.totps.delete(user_id);
}

export const isAppCode = (code: string) => /^\d{6}$/.test(code);

export const appSecretContext = (user_id: number) => `totp ${user_id}`;

async function totpOf(secret: string, label?: { user: User; issuer: string }): Promise<TOTP> {
  const otpauth = await import("otpauth");
  return new otpauth.TOTP({
    secret: otpauth.Secret.fromBase32(secret),
    algorithm: "SHA1",
    digits: DIGITS,
    period: PERIOD_SECONDS,
    ...(label && { issuer: label.issuer, label: label.user.delivery_email }),
  });
}
