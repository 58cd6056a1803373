// Whether an account is guarded by more than its password.
import type { Reader } from "../../realm.ts";
import type { Passkey } from "../../schema/records-people.ts";

export function hasSecondFactor(reader: Reader, user_id: number): boolean {
  return hasApp(reader, user_id) || reader.passkeys.one("user", user_id) !== undefined;
}

/** An authenticator app that has given its first code. */
export function hasApp(reader: Reader, user_id: number): boolean {
  return reader.totps.get(user_id)?.confirmed != null;
}

/** In the order of their making. */
export function passkeysOf(reader: Reader, user_id: number): Passkey[] {
  return reader.passkeys.by("user", user_id).sort((a, b) => a.passkey_id - b.passkey_id);
}
