// Looks through new messages for whom to tell of them, by mail or push.
import { perRealm, type Reader, type Realm, type Writer } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { DueJob } from "../../schema/records.ts";
import { isClosed } from "../realm/access.ts";
import { REALM_ID } from "../realm/rules.ts";
import { addMissed } from "./mail-waiting.ts";
import { hasPush, isPushedTo, leavePush, pushAbout } from "./push-out.ts";
import { recipientsOf, stillTriggering, triggerOf } from "./trigger.ts";

// A send writes nothing for this. A round goes through what was sent since the one before, so that
// what it costs is paid beside the sends, and a message is looked at once also over a crash.

/** An edit may notify more users. New messages are handled by a periodic task. */
export const ENQUEUE_EDITED = "notice edit";

/** Older messages cause no notification: the server was stopped, or they were imported. */
const NEWS_SECONDS = 3_600;
/** Further back the round does not look. */
const BACKLOG_MAX = 50_000;
/** Looked at in one go, before others have a turn. */
const STEP_MESSAGES = 200;
const PEOPLE_AT_ONCE_MAX = 1_000;
/** The place is written down at least this often. */
const UNSAVED_MESSAGES_MAX = 5_000;
/** Users are checked in steps of this size, so that other work can run in between. */
const PEOPLE_STEP = 500;
/** More people are told bit by bit, so that a call to everyone stops up no mail server. */
const CROWD = 100;
const PACE_MS = 200;

interface Place {
  /** undefined: as it was written down. */
  message_id: number | undefined;
  /** The look that is under way, and the one after it. */
  look: Promise<void> | undefined;
  next: Promise<void> | undefined;
}

const placeIn = perRealm((): Place => ({
  message_id: undefined,
  look: undefined,
  next: undefined,
}));

/** The round. Called while one is under way, it looks once more after that. */
export function enqueueMissed(realm: Realm): Promise<void> {
  const place = placeIn(realm);
  const { look, next } = place;
  if (look) return next ?? (place.next = look.catch(() => {}).then(() => again(realm, place)));
  return (place.look = lookThrough(realm, place).finally(() => (place.look = undefined)));
}

function again(realm: Realm, place: Place): Promise<void> {
  place.next = undefined;
  return enqueueMissed(realm);
}

/** Whether there is any way to tell anybody. */
function isWatched({ config, push_subscriptions }: Reader): boolean {
  return config.mail !== undefined || push_subscriptions.count() > 0;
}

/** Before the first who is to be told comes: what was sent until now is not looked at. */
export function beginToWatch(tx: Writer): void {
  if (isWatched(tx)) return;
  tx.mail_progress.put({ realm_id: REALM_ID, message_id: tx.last("messages") });
}

async function lookThrough(realm: Realm, place: Place): Promise<void> {
  const { read } = realm;
  if (!isWatched(read) || !read.realm.has(1) || isClosed(read)) return;
  const last = read.last("messages");
  const saved = () => read.mail_progress.get(REALM_ID)?.message_id ?? 0;
  let from = Math.max(place.message_id ?? 0, saved(), last - BACKLOG_MAX);
  while (from < last) {
    const to = Math.min(from + STEP_MESSAGES, last);
    const found = await lookAt(read, from, to);
    const isNews = found.missed.size > 0 || found.pushed.length > 0;
    if (isNews || to - saved() >= UNSAVED_MESSAGES_MAX) await keep(realm, found, to);
    place.message_id = from = to;
    await othersTurn();
  }
}

const othersTurn = () => new Promise(setImmediate);

interface Found {
  /** By user, the messages to notify about by email. */
  missed: Map<number, number[]>;
  /** Users to notify by push. */
  pushed: number[];
}

/** In the messages after `from` up to `to`. */
async function lookAt(reader: Reader, from: number, to: number): Promise<Found> {
  const found: Found = { missed: new Map(), pushed: [] };
  let asked = 0;
  for (let id = from + 1; id <= to; id++) {
    const message = reader.messages.get(id);
    if (!message || reader.now - message.timestamp > NEWS_SECONDS) continue;
    for (const user_id of recipientsOf(reader, message)) {
      if (++asked % PEOPLE_STEP === 0) await othersTurn();
      lookFor(reader, user_id, message, found);
    }
  }
  return found;
}

function lookFor(reader: Reader, user_id: number, message: Message, found: Found): void {
  const { missed, pushed } = found;
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
async function keep(realm: Realm, { missed, pushed }: Found, to: number): Promise<void> {
  const people = [...missed];
  for (let at = 0; at === 0 || at < people.length; at += PEOPLE_AT_ONCE_MAX) {
    const some = people.slice(at, at + PEOPLE_AT_ONCE_MAX);
    await realm.write((tx) => {
      for (const [place, [user_id, ids]] of some.entries()) {
        addMissed(tx, user_id, ids, Math.max(0, at + place - CROWD) * PACE_MS);
      }
      if (at + PEOPLE_AT_ONCE_MAX < people.length) return;
      for (const message_id of pushed) pushAbout(tx, message_id);
      tx.mail_progress.put({ realm_id: REALM_ID, message_id: to });
    });
  }
}

/** To be called when a message is edited: who is mentioned only now has not heard of it so far. */
export function enqueueEdited(tx: Writer, before: Message, after: Message): void {
  if (!isWatched(tx)) return;
  const known = new Set(before.mentioned_user_ids ?? []);
  const user_ids = (after.mentioned_user_ids ?? []).filter((id) => !known.has(id));
  if (user_ids.length === 0) return;
  tx.enqueue(ENQUEUE_EDITED, tx.now * 1000, { message_id: after.id, user_ids });
}

export async function finishEdited(realm: Realm, { at, job_id, payload }: DueJob): Promise<void> {
  const { message_id, user_ids } = payload as { message_id: number; user_ids: number[] };
  await realm.write((tx) => {
    // In the same transaction as the results, so that a crash repeats no notification.
    tx.due.delete(at, job_id);
    const concerns = (id: number) => stillTriggering(tx, id, [message_id], "email").length > 0;
    for (const user_id of tx.config.mail ? user_ids.filter(concerns) : []) {
      addMissed(tx, user_id, [message_id]);
    }
    for (const user_id of user_ids) {
      if (isPushedTo(realm, tx, user_id, message_id)) leavePush(tx, user_id, message_id);
    }
  });
}
