// New members become full members after the organization's waiting period.
import { MEMBER } from "../../contract/roles.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { membersAdded, membersRemoved } from "../people/wire.ts";
import { systemGroupId } from "../rights/access.ts";
import { isFullMember } from "../rights/rules.ts";
import { watchMembership } from "./effects.ts";

export const FULL_MEMBERSHIP = "full membership";
const DAY_MS = DAY_SECONDS * 1000;

/** `days`: the waiting period when the job was enqueued. */
export interface MembershipJob {
  user_id: number;
  days: number;
}

/** Enqueues a job for the time at which a new member becomes a full member. */
export function awaitFullMembership(tx: Writer, user: User, isAwaited?: HasJob): void {
  if (!isWaiting(tx, user)) return;
  const days = tx.settings.waiting_period_threshold;
  const time = user.date_joined * 1000 + days * DAY_MS;
  if (isAwaited?.(time, user.user_id)) return;
  tx.enqueue(FULL_MEMBERSHIP, time, { user_id: user.user_id, days } satisfies MembershipJob);
}

type HasJob = (time: number, user_id: number) => boolean;

/**
 * Returns a function that tells whether a membership job belongs to this time and user. The job of
 * an account may be left over from an earlier waiting period.
 */
export function jobChecker(reader: Reader): HasJob {
  let remaining: Set<string> | undefined;
  return (time, user_id) => {
    remaining ??= new Set(endedMemberships(reader));
    return remaining.has(`${time} ${user_id}`);
  };
}

function* endedMemberships(reader: Reader): Iterable<string> {
  for (const { at: dueAt, kind, payload } of reader.due.range()) {
    if (kind !== FULL_MEMBERSHIP) continue;
    const { user_id, days } = payload as MembershipJob;
    if (days === reader.settings.waiting_period_threshold) yield `${dueAt} ${user_id}`;
  }
}

/** Call before the waiting period changes; call the returned function after. */
export function watchFullMembership(tx: Writer): () => void {
  const fullMembersId = systemGroupId(tx, "role:fullmembers");
  const people = [...tx.users.range()].filter((user) => user.role === MEMBER);
  people.sort((a, b) => a.user_id - b.user_id);
  const fullBefore = new Set(people.filter((user) => isFull(tx, user)));
  const emitEffects = watchMembership(tx, [fullMembersId], people);
  return () => {
    const active = people.filter((user) => user.is_active && !user.is_system_bot);
    const newFullMembers = active.filter((user) => !fullBefore.has(user) && isFull(tx, user));
    const formerFullMembers = active.filter((user) => fullBefore.has(user) && !isFull(tx, user));
    if (newFullMembers.length > 0)
      tx.emit(membersAdded(fullMembersId, newFullMembers.map(idOf)), { to: "realm" });
    if (formerFullMembers.length > 0)
      tx.emit(membersRemoved(fullMembersId, formerFullMembers.map(idOf)), { to: "realm" });
    emitEffects();
    const isAwaited = jobChecker(tx);
    for (const user of people) awaitFullMembership(tx, user, isAwaited);
  };
}

/** Called at the end of the waiting period. Deactivated users get the events after reactivation. */
export function becomeFullMember(tx: Writer, { user_id, days }: MembershipJob): void {
  const user = tx.users.get(user_id);
  if (user?.role !== MEMBER || !user.is_active) return;
  if (tx.settings.waiting_period_threshold !== days || !isFull(tx, user)) return;

  const fullMembersId = systemGroupId(tx, "role:fullmembers");
  // Membership of this group follows from the clock, so the user is a member already. As the state
  // before, pass an account that is created now.
  const emitEffects = watchMembership(tx, [fullMembersId], [{ ...user, date_joined: tx.now }]);
  tx.emit(membersAdded(fullMembersId, [user_id]), { to: "realm" });
  emitEffects([user]);
}

function isWaiting(reader: Reader, user: User): boolean {
  return user.role === MEMBER && !user.is_system_bot && !isFull(reader, user);
}

const isFull = (reader: Reader, user: User) => isFullMember(user, reader.settings, reader.now);
const idOf = ({ user_id }: User) => user_id;
