// Dependencies of the mutation queue.
import type { Runtime } from "../../api/runtime.ts";
import type { ApiClient } from "../../api/call.ts";
import type { LocalEvent } from "../../contract/snapshot.ts";
import type { Rows } from "../rows.ts";
import type { TopicRef } from "./reconcile.ts";
import type { PendingChange, PendingMessage, Rejection } from "./types.ts";

export interface MutationContext {
  readonly client: ApiClient;
  readonly user_id: number;
  /** The stores `outbox` and `doings` of the user's database. */
  readonly outbox: Rows<PendingMessage>;
  readonly doings: Rows<PendingChange>;
  readonly runtime: Runtime;
  /** Unique names for this tab and for each message. */
  uniqueName(): string;
  /** The event queue whose events contain `local_message_id`. */
  queueId(): string | undefined;
  /** The newest message in the events so far or in the initial state. */
  newest(): number;
  /** Applies events to the state. */
  applyLocal(events: readonly LocalEvent[]): void;
  /** The ids of the list that are still in this topic. */
  remainsIn(ids: readonly number[], topic: TopicRef): number[];
  /** Informs the other tabs, which may display the change. */
  broadcastRollback(key: string): void;
  rejected(rejection: Rejection): void;
  /** A request failed for a reason that concerns all of them, such as the end of the session. */
  onRequestFailed(error: unknown): void;
}
