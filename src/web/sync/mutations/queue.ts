// The user's mutations: displayed at once, stored, and sent in order until the server has them.
import type { ReadonlySignal } from "@preact/signals";
import type { Event, LocalEvent } from "../../contract/snapshot.ts";
import { PendingChanges } from "./changes.ts";
import type { MutationContext } from "./context.ts";
import { PendingMessages } from "./messages.ts";
import { PendingMutations } from "./pending.ts";
import type { ChangeStep } from "./reconcile.ts";
import { type QueuedJob, SerialQueue } from "./serial-queue.ts";
import {
  type ChangeOptions,
  isChange,
  isMessage,
  type MutationRequest,
  type PendingChange,
  type PendingMessage,
  type PendingMutation,
} from "./types.ts";
import type { Target } from "../../features/recipient/target-rules.ts";

/** A message that was just written. */
export interface QueuedMessage {
  readonly message: PendingMessage;
  /**
   * Resolves when the message is stored or storing has failed. Until then, only this tab has it.
   */
  readonly stored: Promise<void>;
}

export class MutationQueue {
  private readonly pending: PendingMutations;
  private readonly sentMessages: PendingMessages;
  private readonly sentChanges: PendingChanges;
  /** Messages, and changes of messages, are sent in one sequence; other changes in another. */
  private readonly queues: { readonly ofMessages: SerialQueue; readonly others: SerialQueue };

  constructor(context: MutationContext) {
    this.pending = new PendingMutations(context);
    this.sentMessages = new PendingMessages(context, this.pending);
    this.sentChanges = new PendingChanges(context, this.pending, () => this.flushNow());
    const queueOf = (isOfMessages: boolean) =>
      new SerialQueue(context.runtime, () => this.next(isOfMessages), context.onRequestFailed);
    this.queues = { ofMessages: queueOf(true), others: queueOf(false) };
  }

  /**
   * Restores the mutations of earlier pages and other tabs, and continues them. Another tab may be
   * sending them as well, but the server performs each only once.
   */
  async load(): Promise<void> {
    const rows = await this.pending.stored();
    const changes = rows.filter(isChange);
    for (const row of rows) {
      if (isMessage(row)) this.pending.restore(row);
      else this.sentChanges.restore(row, changes);
    }
    this.reapply();
    await this.onCaughtUp();
  }

  /** Changes whenever something that waits for the server changes. */
  get revision(): ReadonlySignal<number> {
    return this.pending.revision;
  }

  /** Pending messages, in the order of writing. */
  messages(): PendingMessage[] {
    return this.pending.messages();
  }

  /** Other pending actions, in order. */
  changes(): PendingChange[] {
    return this.pending.changes();
  }

  find(key: string): PendingMutation | undefined {
    return this.pending.get(key);
  }

  /** The last change of a message, or of its text, that the server has not confirmed. */
  changeOf(message_id: number, isOfText = false): PendingChange | undefined {
    return this.changes().findLast(
      ({ change }) =>
        change?.message_id === message_id && (!isOfText || change.content !== undefined),
    );
  }

  /** False if nothing can be stored, so that pending mutations are lost with the tab. */
  get isStored(): boolean {
    return this.pending.isStored;
  }

  /** Displays the message at once, and sends it when it is stored. */
  send(target: Target, text: string): QueuedMessage {
    const message = this.sentMessages.create(target, text);
    const stored = this.pending.add(message).then(() => this.queues.ofMessages.flushNow());
    return { message, stored };
  }

  /** Applies the optimistic events at once; resolves with the key when the change is stored. */
  async change(
    request: MutationRequest,
    optimistic: readonly LocalEvent[],
    inverse: readonly LocalEvent[],
    options: ChangeOptions = {},
  ): Promise<string> {
    const key = await this.sentChanges.add(request, optimistic, inverse, options);
    this.flushNow();
    return key;
  }

  /**
   * Displays events whose request is sent elsewhere; call the returned function with its outcome.
   */
  expect(optimistic: readonly LocalEvent[]): (isAccepted: boolean) => void {
    return this.sentChanges.expect(optimistic);
  }

  /** Calls `follow` after each step of a change, and with undefined when it ends. */
  follow(key: string, follow: (step: ChangeStep | undefined) => void): void {
    this.sentChanges.listeners.set(key, follow);
  }

  /**
   * Sends a rejected message, or one that may have arrived, at the user's request; pending ones at
   * once.
   */
  async retry(key: string): Promise<void> {
    const row = this.pending.get(key);
    // A waiting message keeps its key, so that the server stores it once.
    if (row && isMessage(row) && row.state !== "waiting") await this.sentMessages.renew(row);
    this.queues.ofMessages.flushNow();
  }

  /** The user discards it, unless the server has it already. */
  async discard(key: string): Promise<void> {
    const row = this.pending.get(key);
    if (!row) return;
    await (isMessage(row) ? this.pending.delete(row) : this.sentChanges.rollBack(row));
  }

  /** Drops a change that a later change replaces. */
  async superseded(key: string): Promise<void> {
    const row = this.pending.get(key);
    if (row && !isMessage(row)) await this.sentChanges.superseded(row);
  }

  /** Another tab has rolled it back. */
  rolledBack(key: string): void {
    const row = this.pending.get(key);
    if (row && !isMessage(row)) this.sentChanges.rolledBack(row);
  }

  /** Removes mutations that these events confirm, and applies the remaining ones on top of them. */
  receiveEvents(events: readonly Event[]): void {
    this.sentChanges.confirmEvents(events);
    this.onEvents(events);
  }

  /** Removes messages that these events contain. */
  onEvents(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type !== "message") continue;
      const { message, local_message_id } = event;
      void this.sentMessages.confirmByEvent({ id: message.id, local_message_id });
    }
  }

  /** Called when the state was loaded again, so that the events in between are missing. */
  onRestart(): void {
    this.sentChanges.onRestart();
  }

  /** Applies pending mutations to data that the server has just sent. */
  reapply(): void {
    this.sentChanges.confirmEvents();
  }

  onCaughtUp(): Promise<void> {
    return this.sentMessages.onCaughtUp();
  }

  flushNow = (): void => {
    this.queues.ofMessages.flushNow();
    this.queues.others.flushNow();
  };

  /** Called when the page closes: sends changes whose time for undo has not ended. */
  leave(): void {
    this.sentChanges.leave();
  }

  /** The first mutation of a sequence that can be sent. */
  private next(isOfMessages: boolean): QueuedJob | undefined {
    for (const row of this.pending.all()) {
      if (row.state !== "waiting") continue;
      if (isMessage(row)) {
        if (!isOfMessages) continue;
        // Messages after this one are sent after it, so they wait, too.
        if (this.pending.isWriting(row.local_id)) return undefined;
        return () => this.sentMessages.attempt(row);
      }
      if ((row.priority === "send") !== isOfMessages || !this.sentChanges.isDue(row)) continue;
      return () => this.sentChanges.attempt(row);
    }
    return undefined;
  }
}
