// Sends actions other than messages, confirms them by answers or events, and rolls them back.
import { rethrowSessionError } from "../../api/http.ts";
import { ApiError } from "../../contract/api-error.ts";
import type { Event, LocalEvent } from "../../contract/snapshot.ts";
import type { MutationContext } from "./context.ts";
import * as edits from "./pending-edits.ts";
import type { PendingMutations } from "./pending.ts";
import * as reconcile from "./reconcile.ts";
import type { ChangeOptions, MutationRequest, PendingChange } from "./types.ts";
import { isSame, UnconfirmedEvents } from "./unconfirmed.ts";

export class PendingChanges {
  /** Callbacks for each step of a change. Undefined when it ends. */
  readonly listeners = new Map<string, (step: reconcile.ChangeStep | undefined) => void>();
  private readonly unconfirmed = new UnconfirmedEvents();
  /** Requests sent elsewhere that have no response yet. */
  private readonly expected = new Set<string>();
  private readonly edits = new edits.PendingEdits();

  constructor(
    private readonly context: MutationContext,
    private readonly pending: PendingMutations,
    private readonly flushNow: () => void,
  ) {}

  /** Restores the change of an earlier page, unless a later edit replaces it. */
  restore(row: PendingChange, all: readonly PendingChange[]): void {
    if (row.change) this.edits.recordIn(row.change);
    if (edits.isSuperseded(row, all)) return void this.context.doings.delete(row.key);
    this.pending.restore(row);
    this.unconfirmed.add(row.key, row.foretold);
    this.wakeFor(row);
  }

  /**
   * Displays the change at once; resolves with its key when it is stored, or storing has failed.
   */
  async add(
    request: MutationRequest,
    optimistic: readonly LocalEvent[],
    inverse: readonly LocalEvent[],
    options: ChangeOptions,
  ): Promise<string> {
    const { change } = options;
    const row: PendingChange = {
      ...request,
      ...options,
      ...(change && { change: this.edits.recordIn(change) }),
      ...this.pending.next(),
      foretold: optimistic,
      inverse,
      was_tried: false,
      state: "waiting",
    };
    const stored = this.pending.add(row);
    this.unconfirmed.add(row.key, optimistic);
    this.context.applyLocal(optimistic);
    await stored;
    this.wakeFor(row);
    return row.key;
  }

  /**
   * Displays events whose request is sent elsewhere; call the returned function with its outcome.
   */
  expect(optimistic: readonly LocalEvent[]): (isAccepted: boolean) => void {
    const key = this.pending.nextKey();
    this.unconfirmed.add(key, optimistic);
    this.expected.add(key);
    return (isAccepted) => {
      this.expected.delete(key);
      if (isAccepted) this.context.applyLocal(this.unconfirmed.stillUnconfirmed(optimistic));
      else this.unconfirmed.forget(key);
    };
  }

  /** Rolls the change back in all tabs, whichever tab made it. */
  async rollBack(row: PendingChange): Promise<void> {
    this.rolledBack(row);
    await this.pending.delete(row);
    this.context.broadcastRollback(row.key);
  }

  /** Rolls it back in this tab. */
  rolledBack(row: PendingChange): void {
    this.forget(row.key);
    this.undo(row);
  }

  /** Drops a change that a later change replaces. */
  async superseded(row: PendingChange): Promise<void> {
    this.unconfirmed.forget(row.key);
    await this.drop(row);
  }

  /**
   * The server's data may be older than the user's actions, so these are applied again until their
   * events arrive. Additions are reported only once the server has them.
   */
  confirmEvents(events: readonly Event[] = []): void {
    for (const event of events) if (event.type === "submessage") this.additionArrived(event);
    const { confirmed, overwritten } = this.unconfirmed.confirmByEvents(events);
    for (const key of confirmed) this.confirmedByEvent(key);
    const settled = overwritten.filter(({ key }) => !this.isOpen(key));
    const waitingChanges = this.pending.changes().filter(({ state }) => state === "waiting");
    const stillOptimistic = waitingChanges.flatMap(({ foretold }) =>
      this.unconfirmed.stillUnconfirmed(foretold),
    );
    this.context.applyLocal([...settled.map(({ local }) => local), ...stillOptimistic]);
  }

  /** Called when the state was loaded again, so that the events in between are missing. */
  onRestart(): void {
    this.unconfirmed.keepOnly((key) => this.isOpen(key));
  }

  /** Whether the server has not responded to the change yet. */
  private isOpen(key: string): boolean {
    return this.pending.has(key) || this.expected.has(key);
  }

  /** Removed without an answer, since repeating it might undo changes of others. */
  private confirmedByEvent(key: string): void {
    const row = this.changeOf(key);
    if (!row || !reconcile.endsWithEvent(row)) return;
    if (this.unconfirmed.stillUnconfirmed(row.foretold).length > 0) return;
    this.context.applyLocal(row.done ?? []);
    void this.drop(row);
  }

  private additionArrived(event: Event<"submessage">): void {
    if (event.sender_id !== this.context.user_id) return;
    const pendingChange = this.pending
      .changes()
      .find(({ change }) => reconcile.eventHasAddition(change, event));
    if (pendingChange) void this.drop(pendingChange);
  }

  /** Called when the page closes: sends changes whose time for undo has not ended. */
  leave(): void {
    for (const row of this.pending.changes()) {
      const { key, state, not_before = 0, method, path, params, priority } = row;
      if (state !== "waiting" || not_before <= this.context.runtime.now()) continue;
      // The tab that made it may still be open.
      if (!this.pending.isOfThisTab(key)) continue;
      const request = { method, path, params, priority, keepalive: true };
      this.context.client.ask(request).catch(() => undefined);
      // The next page sends it again, and finds that there is nothing to do.
      const tried = { ...row, was_tried: true };
      this.pending.restore(tried);
      this.context.doings.put(tried).catch(() => undefined);
    }
  }

  isDue({ not_before = 0, made: created }: PendingChange): boolean {
    const now = this.context.runtime.now();
    // If the clock was set back, the delay ends at once.
    return not_before <= now || now < created;
  }

  async attempt(row: PendingChange): Promise<void> {
    const { key, was_tried, change, method, path, params, priority } = row;
    const { client, user_id } = this.context;
    if (!(await this.pending.isThere(row))) return this.forget(key);
    try {
      if (change?.addition?.of !== undefined) return await this.number({ ...row, change });
      if (!was_tried && reconcile.isVisibleInMessage(row))
        await this.update({ ...row, was_tried: true });
      const isLookedUp = change !== undefined && reconcile.canBeDone(row);
      const outcome = isLookedUp ? await reconcile.outcomeOf(client, change, user_id) : "to-do";
      // During the lookup, the user may have discarded or replaced the change.
      if (!this.pending.has(key)) return this.forget(key);
      if (outcome === "elsewhere") return await this.reject(row, new ApiError(0, "", "", {}));
      const input = reconcile.paramsFor(outcome, params);
      const request = { method, path, params: input, priority, isStored: true };
      if (outcome !== "done") {
        if (await this.continues(row, await client.ask(request))) return;
        // The server's entry replaces the unconfirmed one.
      } else if (change?.addition) this.applyInverse(row);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      rethrowSessionError(error);
      if (!(await reconcile.isAlreadyApplied(client, row, error, user_id)))
        return this.reject(row, error);
    }
    // Events may have changed the state since.
    if (this.pending.has(key)) this.context.applyLocal(row.done ?? []);
    if (change && method === "DELETE") await this.endEdits(change.message_id);
    await this.drop(row);
  }

  /** Deleting a message discards its edits, whichever tab would send them. */
  private async endEdits(message_id: number): Promise<void> {
    const all = await this.pending.changesOnDisk();
    for (const row of edits.ofMessage(message_id, all)) {
      const own = this.changeOf(row.key);
      await (own ? this.rollBack(own) : this.endElsewhere(row));
    }
  }

  private async endElsewhere(row: PendingChange): Promise<void> {
    await this.pending.delete(row);
    this.context.broadcastRollback(row.key);
  }

  /**
   * Replaces the parameters by those of the next step, at the same position in the queue. Returns
   * false after the last step.
   */
  private async continues(row: PendingChange, step: reconcile.ChangeStep | undefined) {
    this.listeners.get(row.key)?.(step);
    const params = reconcile.nextStep(row.params, step);
    if (params && this.pending.has(row.key)) await this.update({ ...row, params });
    return params !== undefined;
  }

  /** Looks up the number of the entry that the change refers to. The change is sent next. */
  private async number(row: PendingChange & { change: reconcile.MessageChange }): Promise<void> {
    const numbered = await reconcile.withNumber(this.context.client, row);
    if (!numbered) return this.discard(row.key);
    await this.update({ ...row, ...numbered });
    this.context.applyLocal(numbered.foretold);
  }

  private async reject(row: PendingChange, { code, text }: ApiError): Promise<void> {
    if (!(await this.pending.isThere(row))) return this.forget(row.key);
    const isText = row.change?.content !== undefined;
    if (isText) await this.update({ ...row, state: "refused", code, words: text });
    if (isText) this.undo(row);
    else await this.discard(row.key);
    // Deleting the message ends the edit when the server has responded.
    const isEnding = isText && edits.isDeleted(row, await this.pending.changesOnDisk());
    if (!isEnding) this.context.rejected({ mutation: row, code, text });
  }

  private async discard(key: string): Promise<void> {
    const row = this.changeOf(key);
    if (row) await this.rollBack(row);
  }

  private undo(row: PendingChange): void {
    this.applyInverse(row);
    // Later changes remain valid.
    this.confirmEvents();
  }

  private applyInverse({ key, foretold, inverse }: PendingChange): void {
    const { applyLocal, remainsIn } = this.context;
    this.unconfirmed.forget(key);
    // Rolling back a later change would otherwise restore a state that includes this one.
    for (const later of this.pending.changes()) {
      if (isSame(later.inverse, foretold)) void this.update({ ...later, inverse });
    }
    applyLocal(reconcile.withoutMoved(inverse, remainsIn));
  }

  private wakeFor({ not_before }: PendingChange): void {
    const { runtime } = this.context;
    if (not_before === undefined || not_before <= runtime.now()) return;
    runtime.after(not_before - runtime.now() + 1, this.flushNow);
  }

  private changeOf(key: string): PendingChange | undefined {
    return this.pending.changes().find((row) => row.key === key);
  }

  private update(row: PendingChange): Promise<void> {
    return this.pending.update(row);
  }

  private async drop(row: PendingChange): Promise<void> {
    this.forget(row.key);
    await this.pending.delete(row);
  }

  private forget(key: string): void {
    this.pending.forget(key);
    this.listeners.get(key)?.(undefined);
    this.listeners.delete(key);
  }
}
