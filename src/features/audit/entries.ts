// Interprets the changes of a transaction as audit entries, per observed table.
import type { Reader } from "../../realm.ts";
import type { RecoveryCode } from "../../schema/records-people.ts";
import type {
  Channel,
  Group,
  GroupMember,
  RealmRecord,
  Subscription,
} from "../../schema/records.ts";
import type { Actor } from "../../server/actor.ts";
import type { Change } from "../../store/tables/changes.ts";
import { GUEST } from "../../contract/roles.ts";
import { accountActs } from "./account-entries.ts";
import type { ChangeReader } from "./record-changes.ts";
import { type Act, differing, isEmptyDifference, splitDifference, splitFields } from "./rules.ts";

const PRIVACY = ["invite_only", "is_web_public", "history_public_to_subscribers"];
/** Fields of channels that are not audited: derived values, and file locations of images. */
const CHANNEL_REST = [
  "rendered_description",
  "first_message_id",
  "is_recently_active",
  "recipient_id",
];
const PICTURES = ["icon_file", "logo_file", "night_logo_file"];

// oxlint-disable-next-line no-explicit-any -- records of many types, each known by its own reading
const readings: Readonly<Record<string, ChangeReader<any>>> = {
  ...accountActs,
  realm: organization,
  channels: channel,
  groups: group,
  deactivations: ({ before, after }) => ({
    act: after ? "organization_deactivated" : "organization_reactivated",
    on: "organization",
    on_id: (after ?? before).realm_id,
    facts: after ? { delete_at: after.delete_at ?? null } : {},
  }),
  setting_defaults: ({ before, after }) => ({
    act: "default_setting_changed",
    on: "setting",
    on_id: (after ?? before).name,
    ...splitDifference({ value: [before?.value ?? null, after?.value ?? null] }),
  }),
  realm_domains: rowOf("domain", "id"),
  channel_folders: rowOf("channel_folder", "id", ["rendered_description"]),
  default_channel_groups: rowOf("default_channel_group", "id"),
  linkifiers: rowOf("linkifier", "id"),
  playgrounds: rowOf("playground", "id"),
  profile_fields: rowOf("profile_field", "id"),
  custom_emoji: rowOf("emoji", "id", ["file", "still"]),
};

/** Combines all changes of a table within a transaction into one entry. */
const COLLECTORS = {
  group_members: membersOf,
  subscriptions: subscribersOf,
  recovery_codes: codesOf,
} as const;

export const watchedTables: ReadonlySet<string> = new Set([
  ...Object.keys(readings),
  ...Object.keys(COLLECTORS),
]);

export function actsOf(tx: Reader, changes: readonly Change[], actor: Actor): Act[] {
  const entries: Act[] = [];
  // Ignores records that were created and deleted within the transaction.
  const netChanges = changes.filter(({ before, after }) => (before ?? after) !== undefined);
  for (const { table, before, after } of netChanges) {
    const read = readings[table];
    if (read) entries.push(...[read({ before, after }, tx, actor) ?? []].flat());
  }
  for (const [table, collect] of Object.entries(COLLECTORS)) {
    const own = netChanges.filter((change) => change.table === table);
    if (own.length > 0) entries.push(...collect(tx, own));
  }
  return entries;
}

function organization({
  before,
  after,
}: {
  before?: RealmRecord;
  after?: RealmRecord;
}): Act | undefined {
  if (!after) return undefined;
  const subject = { on: "organization", on_id: after.realm_id };
  if (!before)
    return { ...subject, act: "organization_created", words: { name: after.settings.name } };
  const difference = differing(before.settings, after.settings, PICTURES);
  if (isEmptyDifference(difference)) return undefined;
  return { ...subject, act: "organization_settings_changed", ...splitDifference(difference) };
}

function channel({ before, after }: { before?: Channel; after?: Channel }): Act[] {
  if (!after)
    return before ? [{ act: "channel_removed", on: "channel", on_id: before.stream_id }] : [];
  const subject = { on: "channel", on_id: after.stream_id };
  if (!before) {
    const { name, invite_only, is_web_public, history_public_to_subscribers } = after;
    const facts = { invite_only, is_web_public, history_public_to_subscribers };
    return [{ ...subject, act: "channel_created", facts, words: { name } }];
  }
  const entries: Act[] = [];
  const [privacy, more] = splitFields(differing(before, after, CHANNEL_REST), PRIVACY);
  const [archiving, others] = splitFields(more, ["is_archived"]);
  if (!isEmptyDifference(privacy))
    entries.push({ ...subject, act: "channel_privacy_changed", ...splitDifference(privacy) });
  if (!isEmptyDifference(archiving)) {
    entries.push({
      ...subject,
      act: after.is_archived ? "channel_archived" : "channel_unarchived",
    });
  }
  if (!isEmptyDifference(others))
    entries.push({ ...subject, act: "channel_changed", ...splitDifference(others) });
  return entries;
}

/** System groups follow from roles. */
function group({ before, after }: { before?: Group; after?: Group }): Act[] {
  const { id, name, is_system_group } = (after ?? before)!;
  const subject = { on: "group", on_id: id };
  if (is_system_group) return [];
  if (!before || !after) {
    return [{ ...subject, act: after ? "group_created" : "group_removed", words: { name } }];
  }
  const [ending, others] = splitFields(differing(before, after), ["deactivated"]);
  const entries: Act[] = [];
  if (!isEmptyDifference(ending)) {
    entries.push({
      ...subject,
      act: after.deactivated ? "group_deactivated" : "group_reactivated",
    });
  }
  if (!isEmptyDifference(others))
    entries.push({ ...subject, act: "group_changed", ...splitDifference(others) });
  return entries;
}

function membersOf(_tx: Reader, changes: readonly Change[]): Act[] {
  const ofGroup = (record: unknown) => (record as GroupMember).group_id;
  const moves = additionsAndRemovals(changes, ofGroup, (record) => record !== undefined);
  return moves.map(({ id, isAddition: hasArrived, user_ids }) => ({
    act: hasArrived ? "group_members_added" : "group_members_removed",
    on: "group",
    on_id: id,
    facts: { user_ids },
  }));
}

/** Subscriptions that give access: to private channels, and for guests to any channel. */
function subscribersOf(tx: Reader, changes: readonly Change[]): Act[] {
  const guarded = changes.filter(({ before, after }) => {
    const { stream_id, user_id } = (after ?? before) as Subscription;
    if (tx.channels.get(stream_id)?.invite_only) return true;
    return tx.users.get(user_id)?.role === GUEST;
  });
  const ofChannel = (record: unknown) => (record as Subscription).stream_id;
  const isIncluded = (record: unknown) => (record as Subscription | undefined)?.active === true;
  return additionsAndRemovals(guarded, ofChannel, isIncluded).map(
    ({ id, isAddition: hasArrived, user_ids }) => ({
      act: hasArrived ? "subscribers_added" : "subscribers_removed",
      on: "channel",
      on_id: id,
      facts: { user_ids },
    }),
  );
}

function codesOf(_tx: Reader, changes: readonly Change[]): Act[] {
  const ofPerson = (record: unknown) => (record as RecoveryCode).user_id;
  const moves = additionsAndRemovals(changes, ofPerson, (record) => record !== undefined);
  return moves.map(({ id, isAddition: hasArrived, user_ids }) => ({
    act: hasArrived ? "recovery_codes_made" : "recovery_codes_removed",
    on: "user",
    on_id: id,
    facts: { count: user_ids.length },
  }));
}

interface MembershipChange {
  readonly id: number;
  readonly isAddition: boolean;
  readonly user_ids: number[];
}

function additionsAndRemovals(
  changes: readonly Change[],
  keyOfRecord: (record: unknown) => number,
  isIncluded: (record: unknown) => boolean,
): MembershipChange[] {
  const changesByKey = new Map<string, MembershipChange>();
  for (const { before, after } of changes) {
    const [wasMember, isMember] = [isIncluded(before), isIncluded(after)];
    if (wasMember === isMember) continue;
    const id = keyOfRecord(after ?? before);
    const key = `${id} ${isMember}`;
    const membershipChange = changesByKey.get(key) ?? { id, isAddition: isMember, user_ids: [] };
    membershipChange.user_ids.push(((after ?? before) as { user_id: number }).user_id);
    changesByKey.set(key, membershipChange);
  }
  return [...changesByKey.values()];
}

/** Records that are added, changed and removed as a whole. */
function rowOf(kind: string, id: string, except: readonly string[] = []) {
  return ({ before, after }: { before?: object; after?: object }): Act | undefined => {
    const difference = differing(before ?? {}, after ?? {}, except);
    if (isEmptyDifference(difference)) return undefined;
    const verb = !before ? "added" : after ? "changed" : "removed";
    const on_id = ((after ?? before) as Record<string, number>)[id]!;
    return { act: `${kind}_${verb}`, on: kind, on_id, ...splitDifference(difference) };
  };
}
