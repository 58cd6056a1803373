// Types of changes that wait for the server: messages and other actions of the user.
import type { Target } from "../../features/recipient/target-rules.ts";
import type { Priority } from "../../api/request-queue.ts";
import type { Params, Request } from "../../api/http.ts";
import type { LocalEvent } from "../../contract/snapshot.ts";
import type { MessageChange } from "./reconcile.ts";

/** A message in the store `outbox`. */
export interface PendingMessage {
  /** `<tab>.<number>`; the event of the message contains it. */
  readonly local_id: string;
  /** Identifies a repeated message to the server for a day after the first attempt. */
  readonly idempotency_key: string;
  readonly target: Target;
  readonly text: string;
  /** When it was written, in milliseconds since 1970. */
  readonly made: number;
  /** Its position among all mutations. Rows of early versions have none. */
  readonly order?: number;
  readonly first_tried: number | null;
  /**
   * `waiting`: not sent yet. `sent`: the server has it, as message `id`. `refused`: rejected, with
   * the server's words. `unsure`: it may have arrived, and the server would not recognize it.
   */
  readonly state: "waiting" | "sent" | "refused" | "unsure";
  readonly id?: number;
  readonly words?: string;
}

/** A request, as the calls in `api/` describe it. */
export interface MutationRequest {
  readonly method: Request["method"];
  readonly path: string;
  readonly params: Params;
  readonly priority: Priority;
}

/** An action other than sending, in the store `doings`. */
export interface PendingChange extends MutationRequest {
  readonly key: string;
  /** When it was made, in milliseconds since 1970. */
  readonly made: number;
  readonly order: number;
  /** The expected events, which are displayed at once. */
  readonly foretold: readonly LocalEvent[];
  /** The events that undo it. */
  readonly inverse: readonly LocalEvent[];
  /** Events that are certain once the server has answered, before they arrive. */
  readonly done?: readonly LocalEvent[];
  readonly change?: MessageChange;
  /** In milliseconds; until then the action can be undone, and no request is sent. */
  readonly not_before?: number;
  readonly was_tried: boolean;
  /** A rejected text stays with the server's words until the user decides. */
  readonly state: "waiting" | "refused";
  readonly code?: string;
  readonly words?: string;
}

export type PendingMutation = PendingMessage | PendingChange;

export type ChangeOptions = Partial<Pick<PendingChange, "change" | "done" | "not_before">>;

/** Why the server rejected a change. */
export interface Rejection {
  readonly mutation: PendingChange;
  readonly code: string;
  /** The server's words; empty if there was no request, because the messages have moved. */
  readonly text: string;
}

export const isMessage = (mutation: PendingMutation): mutation is PendingMessage =>
  "local_id" in mutation;

export const isChange = (mutation: PendingMutation): mutation is PendingChange =>
  !isMessage(mutation);

export const keyOf = (mutation: PendingMutation): string =>
  isMessage(mutation) ? mutation.local_id : mutation.key;
