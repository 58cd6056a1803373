// Asking somebody who is signed in for their password once more.
import { ownPasswordWrong } from "../../errors-people.ts";
import type { Realm } from "../../realm.ts";
import type { User } from "../../records.ts";
import { verifyPassword } from "../passwords/hash.ts";
import { isBot } from "../users/rules.ts";
import { attemptPassword } from "./attempts.ts";
import { EMAIL, methodNamed } from "./methods.ts";

export interface Typed {
  readonly username: string;
  readonly password: string;
  /** From where. */
  readonly address: string;
}

/** Before what would let somebody in again: the password, if the account has one. */
export async function checkOwnPassword(
  realm: Realm,
  { user_id, bot_type, delivery_email }: User,
  { password, address }: Omit<Typed, "username">,
): Promise<void> {
  const hash = realm.read.passwords.get(user_id)?.hash;
  if (hash === undefined || isBot({ bot_type }) || !methodNamed(realm.read, EMAIL)) return;
  const counted = await attemptPassword(realm, delivery_email.toLowerCase(), address);
  if (!(await verifyPassword(password, hash))) throw ownPasswordWrong();
  counted.succeeded();
}
