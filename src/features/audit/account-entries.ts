// Audit entries about accounts and sign-in, without keys, codes or passwords.
import type {
  ApiKey,
  Bot,
  Invitation,
  Passkey,
  Password,
  Session,
  Totp,
} from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import type { Actor } from "../../server/actor.ts";
import type { ChangeReader } from "./record-changes.ts";
import {
  type Act,
  type Difference,
  differing,
  isEmptyDifference,
  splitDifference,
  splitFields,
} from "./rules.ts";

/** Fields of a user that have their own audit action, each with its name. */
const USER_ACTS: Readonly<Record<string, (after: User) => string>> = {
  role: () => "user_role_changed",
  is_active: ({ is_active }) => (is_active ? "user_reactivated" : "user_deactivated"),
  delivery_email: () => "user_address_changed",
  full_name: () => "user_renamed",
  bot_owner_id: () => "bot_owner_changed",
  can_create_users: () => "user_right_changed",
  can_forge_sender: () => "user_right_changed",
  can_change_user_emails: () => "user_right_changed",
};

function user({ before, after }: { before?: User; after?: User }, actor: Actor): Act[] {
  if (!after) return [];
  const subject = { on: "user", on_id: after.user_id };
  if (!before) {
    const { full_name, delivery_email, role, bot_type, bot_owner_id } = after;
    const kind = bot_type === null ? "user_created" : "bot_created";
    const facts = { role, ...(bot_type !== null && { bot_type, bot_owner_id }) };
    return [{ ...subject, act: kind, facts, words: { full_name, delivery_email } }];
  }
  if (after.is_deleted && !before.is_deleted) return [{ ...subject, act: "user_erased" }];
  const difference = differing(before, after);
  const entries = Object.entries(USER_ACTS).flatMap(([name, kind]) => {
    const [own] = splitFields(difference, [name]);
    return isEmptyDifference(own)
      ? []
      : [{ ...subject, act: kind(after), ...splitDifference(own) }];
  });
  // Users' changes of their own settings are not audited.
  const settings =
    actor.user_id === after.user_id ? {} : differing(before.settings, after.settings);
  if (!isEmptyDifference(settings))
    entries.push({ ...subject, act: "user_settings_changed", ...splitDifference(settings) });
  return entries;
}

/**
 * Returns an entry if the record was created or deleted. Updates, such as the last use, are not
 * audited.
 */
function createdOrDeleted<R extends { user_id: number }>(
  created: string,
  removedKind: string,
  describe: (record: R) => Pick<Act, "facts" | "words">,
): ChangeReader<R> {
  return ({ before, after }) => {
    if (before && after) return undefined;
    const record = (after ?? before)!;
    return {
      act: after ? created : removedKind,
      on: "user",
      on_id: record.user_id,
      ...describe(record),
    };
  };
}

function password({ before, after }: { before?: Password; after?: Password }): Act | undefined {
  if (before?.hash === after?.hash) return undefined;
  const kind = !after ? "password_removed" : before ? "password_changed" : "password_set";
  return { act: kind, on: "user", on_id: (after ?? before)!.user_id };
}

/** An authenticator app counts as added after its first code was verified. */
function app({ before, after }: { before?: Totp; after?: Totp }): Act | undefined {
  const [wasConfirmed, isConfirmed] = [before, after].map(
    (row) => typeof row?.confirmed === "number",
  );
  if (wasConfirmed === isConfirmed) return undefined;
  const kind = isConfirmed ? "authenticator_app_added" : "authenticator_app_removed";
  return { act: kind, on: "user", on_id: (after ?? before)!.user_id };
}

function bot({ before, after }: { before?: Bot; after?: Bot }): Act | undefined {
  if (!after) return undefined;
  const difference = differing(before ?? {}, after, ["storage_size", "user_id", "service"]);
  const own: Difference = { ...difference };
  // The webhook's URL and token are secrets.
  if (!Bun.deepEquals(before?.service ?? null, after.service)) {
    own["service"] = [before?.service != null, after.service !== null];
  }
  if (isEmptyDifference(own) || !before) return undefined;
  return { act: "bot_changed", on: "user", on_id: after.user_id, ...splitDifference(own) };
}

/** The recipient is not recorded, because people without an account could not be erased later. */
function invitation({
  before,
  after,
}: {
  before?: Invitation;
  after?: Invitation;
}): Act | undefined {
  const { kind, id, invited_as, stream_ids, group_ids } = (after ?? before)!;
  const subject = { on: kind === "link" ? "invitation_link" : "invitation", on_id: id };
  if (!before) return { ...subject, act: "invited", facts: { invited_as, stream_ids, group_ids } };
  if (after && after.revoked !== null && before.revoked === null)
    return { ...subject, act: "uninvited" };
  return undefined;
}

// oxlint-disable-next-line no-explicit-any -- records of many types, each known by its own reading
export const accountActs: Readonly<Record<string, ChangeReader<any>>> = {
  users: (change, _tx, actor) => user(change, actor),
  passwords: password,
  api_keys: createdOrDeleted<ApiKey>("key_made", "key_removed", ({ key_id, client }) => ({
    facts: { key_id },
    words: { client },
  })),
  sessions: createdOrDeleted<Session>("signed_in", "session_ended", ({ session_id, method }) => ({
    facts: { session_id },
    words: { method },
  })),
  passkeys: createdOrDeleted<Passkey>(
    "passkey_added",
    "passkey_removed",
    ({ passkey_id, name }) => ({
      facts: { passkey_id },
      words: { name },
    }),
  ),
  totps: app,
  bots: bot,
  invitations: invitation,
};
