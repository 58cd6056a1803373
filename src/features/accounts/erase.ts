// Erases an account's personal data; the account and its messages remain.
import type { Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { changeAvatar } from "../avatars/upload.ts";
import { RESET } from "../passwords/reset.ts";
import { hostOf, userUpdated } from "../people/wire.ts";
import { NEW_ADDRESS } from "../rights/rules.ts";
import { invalidateTickets } from "../secrets/one-time-links.ts";
import { clearStatus } from "../status/actions.ts";
import { dropTwoFactor } from "../two-factor/recovery.ts";
import { erasePrivateRows } from "./erasure-report.ts";
import { eraseValue } from "./profile.ts";

const NAME = "Deleted user";

/** The account must be deactivated already. */
export function eraseProfile(tx: Writer, user_id: number): void {
  for (const { field_id } of tx.profile_values.listBy("user", user_id)) {
    eraseValue(tx, user_id, field_id);
  }
  if (tx.user_statuses.has(user_id)) clearStatus(tx, user_id);
  deletePrivateData(tx, user_id);
  const former = tx.users.get(user_id)!;
  const user: User = {
    ...former,
    full_name: NAME,
    delivery_email: `deleteduser${user_id}@${hostOf(tx.config.url)}`,
    settings: settingsAffectingOthers(former),
    can_create_users: false,
    can_forge_sender: false,
    can_change_user_emails: false,
    is_deleted: true,
  };
  tx.users.put(user);
  const audience = { to: "seers", user_id } as const;
  const { full_name, delivery_email } = user;
  tx.emit(userUpdated(user_id, { full_name }), audience);
  // The address is no longer hidden, since it is gone.
  tx.emit(userUpdated(user_id, { delivery_email }), audience);
  tx.emit(userUpdated(user_id, { new_email: delivery_email }), audience);
  tx.emit(userUpdated(user_id, { email: delivery_email, timezone: "" }), audience);
  tx.emit(userUpdated(user_id, { is_deleted: true }), audience);
  changeAvatar(tx, user_id, { avatar_source: "J", avatar_key: null });
}

/** Returns the settings of the user that affect other users. */
function settingsAffectingOthers({ settings }: User): User["settings"] {
  const { presence_enabled } = settings;
  return presence_enabled === undefined ? {} : { presence_enabled };
}

/** Deletes the data that only the user could read, and all credentials. */
function deletePrivateData(tx: Writer, user_id: number): void {
  tx.passwords.delete(user_id);
  for (const { key_id } of tx.api_keys.listBy("user", user_id)) tx.api_keys.delete(key_id);
  dropTwoFactor(tx, user_id);
  tx.last_sign_ins.delete(user_id);
  // A job deletes the file.
  tx.person_exports.delete(user_id);
  invalidateTickets(tx, RESET, user_id);
  invalidateTickets(tx, NEW_ADDRESS, user_id);
  erasePrivateRows(tx, user_id);
}
