// Texts and actions of a user, stored on the device until the server has them.
import { type Signal, signal } from "@preact/signals";
import type { QueuedRequest } from "../api/request-queue.ts";
import { type Runtime, uniqueName } from "../api/runtime.ts";
import { ask } from "../api/http.ts";
import { foldTopic } from "../conversation-keys.ts";
import { maybeState, getState, applyLocal } from "../store/store.ts";
import { forgetChoice } from "./ending/ended-accounts.ts";
import { type PersonalRows, openPersonalRows } from "./personal-database.ts";
import { MutationQueue } from "./mutations/queue.ts";
import type { TopicRef } from "./mutations/reconcile.ts";
import type { Rejection } from "./mutations/types.ts";
import type { Sync } from "./sync.ts";
import { restoreUnsent } from "./unsent/preserve.ts";
import { fetchAccountKey } from "./unsent/key.ts";

/** Objects of a user, created when the user is known. */
export interface PersonalStore {
  readonly rows: PersonalRows;
  readonly mutations: MutationQueue;
  /** Errors of rejected actions until they are displayed. */
  readonly rejections: Signal<readonly Rejection[]>;
}

export async function openPersonalStore(
  sync: Sync,
  user_id: number,
  runtime: Runtime,
): Promise<PersonalStore> {
  forgetChoice(sync.session);
  const retained = await openPersonalRows(user_id);
  sync.sessionEnd.close(() => retained.close());
  const onRequestFailed = (error: unknown) => sync.onRequestError(error);
  const asOnce = {
    ask: <T>(request: QueuedRequest) => ask<T>(sync.asLeader().requestContext, request),
  };
  // If there is no response, they stay until the next start.
  await restoreUnsent(asOnce, user_id, retained).catch(onRequestFailed);
  const rejections = signal<readonly Rejection[]>([]);
  const mutations = new MutationQueue({
    client: sync,
    user_id,
    outbox: retained.outbox,
    doings: retained.doings,
    runtime,
    uniqueName,
    queueId: () => sync.cursor?.queue_id,
    newest: () => maybeState()?.messages.newest ?? -1,
    applyLocal,
    remainsIn,
    broadcastRollback: (key) => sync.send({ kind: "taken-back", key }),
    rejected: (rejection) => void (rejections.value = [...rejections.peek(), rejection]),
    onRequestFailed,
  });
  await mutations.load();
  mutations.flushNow();
  sync.mutations = mutations;
  sync.listen(() => void mutations.onCaughtUp());
  for (const wake of ["online", "focus"]) window.addEventListener(wake, mutations.flushNow);
  window.addEventListener("pagehide", () => mutations.leave());
  sync.connection.subscribe(({ kind }) => {
    if (kind !== "live") return;
    mutations.flushNow();
    void fetchAccountKey(sync, user_id).catch(() => undefined);
  });
  return { rows: retained, mutations, rejections };
}

/** The place of unseen messages is known if they are unread. */
function remainsIn(ids: readonly number[], { stream_id, topic }: TopicRef): number[] {
  const { messages, unread } = getState();
  return ids.filter((id) => {
    const message = messages.byId.get(id);
    const conversation = unread.byMessage.get(id);
    const at = message ? { ...message, topic: message.subject } : conversation;
    return !at || (at.stream_id === stream_id && foldTopic(at.topic) === foldTopic(topic));
  });
}
