// Sends messages, which the server stores once, however often they are sent.
import { HOUR_MS } from "../../../contract/units.ts";
import { sendMessage } from "../../api/message-calls.ts";
import { rethrowSessionError } from "../../api/http.ts";
import { ApiError } from "../../contract/api-error.ts";
import type { MutationContext } from "./context.ts";
import type { PendingMutations } from "./pending.ts";
import type { PendingMessage } from "./types.ts";
import type { Target } from "../../features/recipient/target-rules.ts";

/** The server remembers an attempt for a day; some hours less allow for differing clocks. */
const UNCERTAIN_AFTER_MS = 20 * HOUR_MS;

export class PendingMessages {
  constructor(
    private readonly context: MutationContext,
    private readonly pending: PendingMutations,
  ) {}

  create(target: Target, text: string): PendingMessage {
    const { key, made: created, order } = this.pending.next();
    return {
      local_id: key,
      idempotency_key: this.context.uniqueName(),
      target,
      text,
      made: created,
      order,
      first_tried: null,
      state: "waiting",
    };
  }

  /** Sends with a new key, at the user's request: the message was rejected, or may have arrived. */
  renew(row: PendingMessage): Promise<void> {
    const idempotency_key = this.context.uniqueName();
    return this.pending.update({ ...row, idempotency_key, first_tried: null, state: "waiting" });
  }

  /** An event contains the message, which replaces the pending one. */
  async confirmByEvent({
    id,
    local_message_id,
  }: {
    id: number;
    local_message_id?: string | undefined;
  }) {
    for (const row of this.pending.messages()) {
      const matches = row.local_id === local_message_id || (row.state === "sent" && row.id === id);
      if (matches) await this.pending.delete(row);
    }
  }

  /** After a lost event queue, messages may arrive without an event. */
  async onCaughtUp(): Promise<void> {
    const newest = this.context.newest();
    for (const row of this.pending.messages()) {
      const { state, id = Infinity } = row;
      if (state === "sent" && id <= newest) await this.pending.delete(row);
    }
  }

  async attempt(row: PendingMessage): Promise<void> {
    const { client, runtime } = this.context;
    const now = runtime.now();
    const first_tried = row.first_tried ?? now;
    // If the clock was set back, the time since the first attempt is unknown.
    if (Math.abs(now - first_tried) > UNCERTAIN_AFTER_MS)
      return this.pending.update({ ...row, state: "unsure" });
    if (row.first_tried === null) await this.pending.update({ ...row, first_tried });
    // The user may have discarded the message meanwhile.
    if (!this.pending.has(row.local_id)) return;
    try {
      const headers = { "Idempotency-Key": row.idempotency_key };
      const { id } = await sendMessage(client, this.paramsOf(row), { headers, isStored: true });
      await this.pending.update({ ...row, first_tried, state: "sent", id });
      await this.onCaughtUp();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      rethrowSessionError(error);
      await this.pending.update({ ...row, first_tried, state: "refused", words: error.text });
    }
  }

  private paramsOf({ target, text, local_id }: PendingMessage) {
    const isToChannel = target.type === "channel";
    return {
      type: target.type,
      to: JSON.stringify(isToChannel ? target.stream_id : target.user_ids),
      topic: isToChannel ? target.topic : undefined,
      content: text,
      local_id,
      queue_id: this.context.queueId(),
      read_by_sender: true,
    };
  }
}
