// Recovery codes: each replaces a lost second factor once.
import { createHash } from "node:crypto";
import type { Reader, Writer } from "../../realm.ts";
import { hasSecondFactor, passkeysOf } from "./access.ts";

export const RECOVERY_CODES = 10;
/** 32 characters, so that each is equally likely for a random byte. */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const CHARACTERS = 16;
const GROUP = 4;

/** Returns new codes, which cannot be displayed again. Earlier codes become invalid. */
export function renewRecoveryCodes(tx: Writer, user_id: number): string[] {
  dropRecoveryCodes(tx, user_id);
  const codes = Array.from({ length: RECOVERY_CODES }, randomCode);
  for (const code of codes) tx.recovery_codes.put({ user_id, hash: hashOf(code) });
  return codes;
}

/** Uses up a code: true once. */
export function useRecoveryCode(tx: Writer, user_id: number, code: string): boolean {
  const hash = hashOf(code);
  if (!tx.recovery_codes.has(user_id, hash)) return false;

  tx.recovery_codes.delete(user_id, hash);
  return true;
}

export function recoveryCodesLeft(reader: Reader, user_id: number): number {
  return [...reader.recovery_codes.range({ from: [user_id], to: [user_id + 1] })].length;
}

/** Deletes the recovery codes if no second factor is left. */
export function dropUnneededCodes(tx: Writer, user_id: number): void {
  if (!hasSecondFactor(tx, user_id)) dropRecoveryCodes(tx, user_id);
}

/** Removes all second factors of an account. */
export function dropTwoFactor(tx: Writer, user_id: number): void {
  tx.totps.delete(user_id);
  for (const { hash } of passkeysOf(tx, user_id)) tx.passkeys.delete(hash);
  dropRecoveryCodes(tx, user_id);
}

function dropRecoveryCodes(tx: Writer, user_id: number): void {
  for (const { hash } of [...tx.recovery_codes.range({ from: [user_id], to: [user_id + 1] })]) {
    tx.recovery_codes.delete(user_id, hash);
  }
}

/** Ignores case and separators. */
function hashOf(code: string): string {
  const stripped = code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return createHash("sha256").update(stripped).digest("hex");
}

function randomCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CHARACTERS));
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]!).join("");
  return letters.match(new RegExp(`.{${GROUP}}`, "g"))!.join("-");
}
