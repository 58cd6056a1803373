// Checks new messages for users to notify by email or push.
import { yieldToEventLoop } from "../../async/yield.ts";
import { perRealm, type Reader, type Realm, type Writer } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { DueJob } from "../../schema/records.ts";
import { isDeactivated } from "../realm/access.ts";
import { REALM_ID } from "../realm/rules.ts";
import { addMissedMessages } from "./email-delay.ts";
import { hasPush, isPushedTo, pushToDevices, enqueuePushes } from "./enqueue-push.ts";
import { recipientsOf, stillTriggering, triggerOf } from "./trigger.ts";

// Sends do no work for notifications. A periodic task checks all messages since its last run, and
// stores its position so that a crash neither skips nor repeats messages.

/** An edit may notify more users. New messages are handled by a periodic task. */
export const ENQUEUE_EDITED = "notice edit";

/** Older messages cause no notification: the server was stopped, or they were imported. */
const MESSAGE_AGE_SECONDS_MAX = 3_600;
/** The task does not check messages further back. */
const BACKLOG_MAX = 50_000;
/** Messages checked before other work can run. */
const STEP_MESSAGES = 200;
const PEOPLE_AT_ONCE_MAX = 1_000;
/** The position is stored at least this often. */
const UNSAVED_MESSAGES_MAX = 5_000;
/** Users are checked in steps of this size, so that other work can run in between. */
const PEOPLE_STEP = 500;
/**
 * More users than this are notified gradually, so that a mention of everyone does not overload the
 * mail server.
 */
const MANY_USERS = 100;
const PAUSE_MS = 200;

interface Position {
  /** undefined: the stored position. */
  message_id: number | undefined;
  /** The run in progress, and the run that follows it. */
  check: Promise<void> | undefined;
  next: Promise<void> | undefined;
}

const positionOf = perRealm((): Position => ({
  message_id: undefined,
  check: undefined,
  next: undefined,
}));

/** Runs the task. If it is already running, it runs once more afterwards. */
export function enqueueMissed(realm: Realm): Promise<void> {
  const position = positionOf(realm);
  const { check, next } = position;
  if (check)
    return (
      next ?? (position.next = check.catch(() => {}).then(() => checkNextMessages(realm, position)))
    );
  return (position.check = checkMessages(realm, position).finally(
    () => (position.check = undefined),
  ));
}

function checkNextMessages(realm: Realm, position: Position): Promise<void> {
  position.next = undefined;
  return enqueueMissed(realm);
}

/** Whether any user can be notified. */
function hasRecipients({ config, push_subscriptions }: Reader): boolean {
  return config.mail !== undefined || push_subscriptions.count() > 0;
}

/** Must be called before the first subscription. Earlier messages are not checked. */
export function startNotifying(tx: Writer): void {
  if (hasRecipients(tx)) return;
  tx.mail_progress.put({ realm_id: REALM_ID, message_id: tx.last("messages") });
}

async function checkMessages(realm: Realm, position: Position): Promise<void> {
  const { read } = realm;
  if (!hasRecipients(read) || !read.realm.has(1) || isDeactivated(read)) return;
  const last = read.last("messages");
  const savedProgress = () => read.mail_progress.get(REALM_ID)?.message_id ?? 0;
  let from = Math.max(position.message_id ?? 0, savedProgress(), last - BACKLOG_MAX);
  while (from < last) {
    const to = Math.min(from + STEP_MESSAGES, last);
    const foundUsers = await checkRange(read, from, to);
    const isNews = foundUsers.missed.size > 0 || foundUsers.pushed.length > 0;
    if (isNews || to - savedProgress() >= UNSAVED_MESSAGES_MAX)
      await storeFound(realm, foundUsers, to);
    position.message_id = from = to;
    await yieldToEventLoop();
  }
}

interface FoundUsers {
  /** Messages to notify about by email, by user. */
  missed: Map<number, number[]>;
  /** Users to notify by push. */
  pushed: number[];
}

/** Checks the messages after `from` up to `to`. */
async function checkRange(reader: Reader, from: number, to: number): Promise<FoundUsers> {
  const foundUsers: FoundUsers = { missed: new Map(), pushed: [] };
  let requestCount = 0;
  for (let id = from + 1; id <= to; id++) {
    const message = reader.messages.get(id);
    if (!message || reader.now - message.timestamp > MESSAGE_AGE_SECONDS_MAX) continue;
    for (const user_id of recipientsOf(reader, message)) {
      if (++requestCount % PEOPLE_STEP === 0) await yieldToEventLoop();
      checkMessage(reader, user_id, message, foundUsers);
    }
  }
  return foundUsers;
}

function checkMessage(
  reader: Reader,
  user_id: number,
  message: Message,
  foundUsers: FoundUsers,
): void {
  const { missed, pushed } = foundUsers;
  const user = reader.users.get(user_id);
  if (!user) return;
  if (reader.config.mail && triggerOf(reader, user, message, "email")) {
    const ids = missed.get(user_id);
    if (ids) ids.push(message.id);
    else missed.set(user_id, [message.id]);
  }
  if (pushed.at(-1) === message.id || !hasPush(reader, user_id)) return;
  if (triggerOf(reader, user, message, "push")) pushed.push(message.id);
}

/** Stores the position together with the last users, so that a crash repeats these. */
async function storeFound(realm: Realm, { missed, pushed }: FoundUsers, to: number): Promise<void> {
  const people = [...missed];
  for (let index = 0; index === 0 || index < people.length; index += PEOPLE_AT_ONCE_MAX) {
    const batch = people.slice(index, index + PEOPLE_AT_ONCE_MAX);
    await realm.write((tx) => {
      for (const [position, [user_id, ids]] of batch.entries()) {
        addMissedMessages(tx, user_id, ids, Math.max(0, index + position - MANY_USERS) * PAUSE_MS);
      }
      if (index + PEOPLE_AT_ONCE_MAX < people.length) return;
      for (const message_id of pushed) enqueuePushes(tx, message_id);
      tx.mail_progress.put({ realm_id: REALM_ID, message_id: to });
    });
  }
}

/** Must be called when a message is edited, to notify users who are mentioned only by the edit. */
export function enqueueEdited(tx: Writer, before: Message, after: Message): void {
  if (!hasRecipients(tx)) return;
  const alreadyMentioned = new Set(before.mentioned_user_ids ?? []);
  const user_ids = (after.mentioned_user_ids ?? []).filter((id) => !alreadyMentioned.has(id));
  if (user_ids.length === 0) return;
  tx.enqueue(ENQUEUE_EDITED, tx.now * 1000, { message_id: after.id, user_ids });
}

export async function finishEdited(realm: Realm, { at, job_id, payload }: DueJob): Promise<void> {
  const { message_id, user_ids } = payload as { message_id: number; user_ids: number[] };
  await realm.write((tx) => {
    // In the same transaction as the results, so that a crash repeats no notification.
    tx.due.delete(at, job_id);
    const isConcerned = (id: number) => stillTriggering(tx, id, [message_id], "email").length > 0;
    for (const user_id of tx.config.mail ? user_ids.filter(isConcerned) : []) {
      addMissedMessages(tx, user_id, [message_id]);
    }
    for (const user_id of user_ids) {
      if (isPushedTo(realm, tx, user_id, message_id)) pushToDevices(tx, user_id, message_id);
    }
  });
}
