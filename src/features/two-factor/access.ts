// Whether an account has a second factor.
import type { Reader } from "../../realm.ts";
import type { Passkey } from "../../schema/records-people.ts";

export function hasSecondFactor(reader: Reader, user_id: number): boolean {
  return hasApp(reader, user_id) || reader.passkeys.findBy("user", user_id) !== undefined;
}

/** Whether the user has an authenticator app that was confirmed with a code. */
export function hasApp(reader: Reader, user_id: number): boolean {
  return reader.totps.get(user_id)?.confirmed != null;
}

/** Returns the passkeys in order of creation. */
export function passkeysOf(reader: Reader, user_id: number): Passkey[] {
  return reader.passkeys.listBy("user", user_id).sort((a, b) => a.passkey_id - b.passkey_id);
}
