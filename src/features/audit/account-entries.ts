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
import type { Reading } from "./record-changes.ts";
import {
  type Act,
  type Difference,
  differing,
  isEmptyDifference,
  splitDifference,
  splitFields,
} from "./rules.ts";

/** Fields whose change alone determines the entry. */
const USER_ACTS: Readonly<Record<string, (is: User) => string>> = {
  role: () => "user_role_changed",
  is_active: ({ is_active }) => (is_active ? "user_reactivated" : "user_deactivated"),
  delivery_email: () => "user_address_changed",
  full_name: () => "user_renamed",
  bot_owner_id: () => "bot_owner_changed",
  can_create_users: () => "user_right_changed",
  can_forge_sender: () => "user_right_changed",
  can_change_user_emails: () => "user_right_changed",
};

function user({ was, is }: { was?: User; is?: User }, actor: Actor): Act[] {
  if (!is) return [];
  const at = { on: "user", on_id: is.user_id };
  if (!was) {
    const { full_name, delivery_email, role, bot_type, bot_owner_id } = is;
    const act = bot_type === null ? "user_created" : "bot_created";
    const facts = { role, ...(bot_type !== null && { bot_type, bot_owner_id }) };
    return [{ ...at, act, facts, words: { full_name, delivery_email } }];
  }
  if (is.is_deleted && !was.is_deleted) return [{ ...at, act: "user_erased" }];
  const difference = differing(was, is);
  const acts = Object.entries(USER_ACTS).flatMap(([name, act]) => {
    const [own] = splitFields(difference, [name]);
    return isEmptyDifference(own) ? [] : [{ ...at, act: act(is), ...splitDifference(own) }];
  });
  // Users' changes of their own settings are not audited.
  const settings = actor.user_id === is.user_id ? {} : differing(was.settings, is.settings);
  if (!isEmptyDifference(settings))
    acts.push({ ...at, act: "user_settings_changed", ...splitDifference(settings) });
  return acts;
}

/** Created or deleted; updates such as the last use are ignored. */
function createdOrDeleted<R extends { user_id: number }>(
  created: string,
  removed: string,
  told: (record: R) => Pick<Act, "facts" | "words">,
): Reading<R> {
  return ({ was, is }) => {
    if (was && is) return undefined;
    const record = (is ?? was)!;
    return { act: is ? created : removed, on: "user", on_id: record.user_id, ...told(record) };
  };
}

function password({ was, is }: { was?: Password; is?: Password }): Act | undefined {
  if (was?.hash === is?.hash) return undefined;
  const act = !is ? "password_removed" : was ? "password_changed" : "password_set";
  return { act, on: "user", on_id: (is ?? was)!.user_id };
}

/** Counts as added after the first code was verified. */
function app({ was, is }: { was?: Totp; is?: Totp }): Act | undefined {
  const [had, has] = [was, is].map((row) => typeof row?.confirmed === "number");
  if (had === has) return undefined;
  const act = has ? "authenticator_app_added" : "authenticator_app_removed";
  return { act, on: "user", on_id: (is ?? was)!.user_id };
}

function bot({ was, is }: { was?: Bot; is?: Bot }): Act | undefined {
  if (!is) return undefined;
  const difference = differing(was ?? {}, is, ["storage_size", "user_id", "service"]);
  const own: Difference = { ...difference };
  // The webhook's URL and token are secrets.
  if (!Bun.deepEquals(was?.service ?? null, is.service)) {
    own["service"] = [was?.service != null, is.service !== null];
  }
  if (isEmptyDifference(own) || !was) return undefined;
  return { act: "bot_changed", on: "user", on_id: is.user_id, ...splitDifference(own) };
}

/** The recipient is not recorded, because people without an account could not be erased later. */
function invitation({ was, is }: { was?: Invitation; is?: Invitation }): Act | undefined {
  const { kind, id, invited_as, stream_ids, group_ids } = (is ?? was)!;
  const at = { on: kind === "link" ? "invitation_link" : "invitation", on_id: id };
  if (!was) return { ...at, act: "invited", facts: { invited_as, stream_ids, group_ids } };
  if (is && is.revoked !== null && was.revoked === null) return { ...at, act: "uninvited" };
  return undefined;
}

// oxlint-disable-next-line no-explicit-any -- records of many types, each known by its own reading
export const accountActs: Readonly<Record<string, Reading<any>>> = {
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
