// A user's actions other than sending: displayed at once, and stored until the server has them.
import { Refused, toTryAgain } from "../../api/http.ts";
import type { Deed, Event } from "../../snapshot.ts";
import type { Around } from "./around.ts";
import * as heard from "./heard.ts";
import type { Doing, More, Wanted } from "../kept.ts";
import { byOrder, type Job } from "../line.ts";
import * as texts from "./texts.ts";

export class Doings {
  /** In the order of their making. */
  readonly all = new Map<string, Doing>();
  /** Callbacks for each step of an action. Undefined when it ends. */
  readonly followers = new Map<string, (step: heard.Step | undefined) => void>();
  private readonly unheard = new heard.Unheard();
  /** The disk did not take them. */
  private readonly unkept = new Set<string>();
  /** Asked for without waiting here, and not answered. */
  private readonly expected = new Set<string>();
  private readonly texts = new texts.OwnTexts();
  private readonly tab: string;
  private count = 0;

  constructor(private readonly around: Around) {
    this.tab = around.uniqueName();
    around.lines.send.add(() => this.next(true));
    around.lines.other.add(() => this.next(false));
  }

  /** Restores and continues actions of earlier pages. */
  async load(): Promise<void> {
    const { rows, order } = this.around;
    const left = (await rows.all()).sort(byOrder);
    for (const doing of left) {
      order.note(doing.order);
      if (doing.change) this.texts.over(doing.change);
      if (texts.isReplaced(doing, left)) {
        void rows.delete(doing.key);
        continue;
      }
      this.all.set(doing.key, doing);
      this.unheard.foretell(doing.key, doing.foretold);
      this.wakeFor(doing);
    }
    this.show();
    this.around.changed();
  }

  /** Seen now; resolves with its key once it is on the disk, or the disk takes nothing. */
  async do(
    wanted: Wanted,
    foretold: readonly Deed[],
    inverse: readonly Deed[],
    more: More = {},
  ): Promise<string> {
    const { world, order } = this.around;
    const key = `${this.tab}.${(this.count += 1)}`;
    const doing: Doing = {
      ...wanted,
      ...more,
      ...(more.change && { change: this.texts.over(more.change) }),
      key,
      made: world.now(),
      order: order.next(),
      foretold,
      inverse,
      was_tried: false,
      state: "waiting",
    };
    this.all.set(key, doing);
    this.unheard.foretell(key, foretold);
    this.around.take(foretold);
    await this.keep(doing);
    this.wakeFor(doing);
    this.hurry();
    return key;
  }

  /** Shows actions whose request runs elsewhere: confirmed by its answer, or undone. */
  expect(foretold: readonly Deed[]): (isTaken: boolean) => void {
    const key = `${this.tab}.${(this.count += 1)}`;
    this.unheard.foretell(key, foretold);
    this.expected.add(key);
    return (isTaken) => {
      this.expected.delete(key);
      if (isTaken) this.around.take(this.unheard.untold(foretold));
      else this.unheard.forget(key);
    };
  }

  /** The person takes it back, as far as the server has not heard of it. */
  async discard(key: string): Promise<void> {
    if (this.all.has(key)) await this.end(key);
  }

  /** In all tabs, and in whichever it was made. */
  private async end(key: string): Promise<void> {
    this.takenBack(key);
    await this.around.rows.delete(key);
    this.around.tellTakenBack(key);
  }

  /** In this tab or another one. */
  takenBack(key: string): void {
    const doing = this.all.get(key);
    if (!doing) return;
    this.forget(key);
    this.undo(doing);
  }

  /** Another of its kind takes its place. */
  async replaced(key: string): Promise<void> {
    this.unheard.forget(key);
    await this.drop(key);
  }

  /**
   * The server's data may be older than the user's actions, so these are applied again until their
   * events arrive. Additions are reported only once the server has them.
   */
  show(events: readonly Event[] = []): void {
    for (const event of events) if (event.type === "submessage") this.heardAddition(event);
    const { told, covered: all } = this.unheard.coveredBy(events);
    for (const key of told) this.heardOf(key);
    const covered = all.filter(({ key }) => !this.all.has(key) && !this.expected.has(key));
    const waiting = [...this.all.values()].filter(({ state }) => state === "waiting");
    const untold = waiting.flatMap(({ foretold }) => this.unheard.untold(foretold));
    this.around.take([...covered.map(({ deed }) => deed), ...untold]);
  }

  /** Removed without an answer, since repeating it might undo changes of others. */
  private heardOf(key: string): void {
    const doing = this.all.get(key);
    if (!doing || !heard.endsWithEvent(doing)) return;
    if (this.unheard.untold(doing.foretold).length > 0) return;
    this.around.take(doing.done ?? []);
    void this.drop(key);
  }

  private heardAddition(event: Event<"submessage">): void {
    if (event.sender_id !== this.around.user_id) return;
    const known = [...this.all.values()].find(({ change }) => heard.isOf(change, event));
    if (known) void this.drop(known.key);
  }

  /** The last change of a message, or of its text, that the server has not taken. */
  changeOf(message_id: number, isOfText = false): Doing | undefined {
    return [...this.all.values()].findLast(
      ({ change }) =>
        change?.message_id === message_id && (!isOfText || change.content !== undefined),
    );
  }

  hurry(): void {
    this.around.lines.send.hurry();
    this.around.lines.other.hurry();
  }

  /** When the page closes, actions that could still be undone are sent. */
  leave(): void {
    for (const doing of this.all.values()) {
      const { key, state, not_before = 0, method, path, params, priority } = doing;
      if (state !== "waiting" || not_before <= this.around.world.now()) continue;
      // The tab that it was done in may be there still.
      if (!key.startsWith(`${this.tab}.`)) continue;
      const asked = { method, path, params, priority, keepalive: true };
      this.around.able.ask(asked).catch(() => undefined);
      // The page that comes next tells it again, and hears that there is nothing to do.
      this.keep({ ...doing, was_tried: true }).catch(() => undefined);
    }
  }

  private next(isOfMessages: boolean): Job | undefined {
    const now = this.around.world.now();
    for (const doing of this.all.values()) {
      const { state, priority, not_before = 0, order, made } = doing;
      if (state !== "waiting" || (priority === "send") !== isOfMessages) continue;
      // A clock that was set back makes nobody wait.
      if (not_before <= now || now < made) return { order, run: () => this.attempt(doing) };
    }
    return undefined;
  }

  private async attempt(doing: Doing): Promise<void> {
    const { key, was_tried, change, method, path, params, priority } = doing;
    const { able, user_id } = this.around;
    if (!(await this.isThere(key))) return this.forget(key);
    try {
      if (change?.addition?.of !== undefined) return await this.number({ ...doing, change });
      if (!was_tried && heard.leavesTrace(doing)) await this.keep({ ...doing, was_tried: true });
      const isLooked = change !== undefined && heard.mayBeSo(doing);
      const standing = isLooked ? await heard.found(able, change, user_id) : "to-do";
      if (standing === "elsewhere") return await this.refuse(doing, new Refused(0, "", "", {}));
      const given = heard.paramsFor(standing, params);
      const asked = { method, path, params: given, priority, isKept: true };
      if (standing !== "done") {
        if (await this.goesOn(doing, await able.ask(asked))) return;
        // The server's entry replaces the unconfirmed one.
      } else if (change?.addition) this.takeBack(doing);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      toTryAgain(error);
      const isSo = await heard.isSoAlready(able, doing, error, user_id);
      if (!isSo) return this.refuse(doing, error);
    }
    // Events may have changed the state since.
    if (this.all.has(key)) this.around.take(doing.done ?? []);
    if (change && method === "DELETE") await this.endTexts(change.message_id);
    await this.drop(key);
  }

  /** Deleting a message discards its edits, whichever tab would send them. */
  private async endTexts(message_id: number): Promise<void> {
    for (const { key } of texts.ofMessage(message_id, await this.ofAllTabs())) await this.end(key);
  }

  private ofAllTabs(): Promise<Doing[]> {
    return this.around.rows.all().catch(() => []);
  }

  /** Not where another tab has told it meanwhile, or something later took its place. */
  private async isThere(key: string): Promise<boolean> {
    const isKept = this.unkept.has(key) || (await this.around.rows.has(key).catch(() => true));
    return isKept && this.all.has(key);
  }

  /**
   * Replaces an action's parameters with those of its next step, at the same place in the line.
   * Returns false after the last step.
   */
  private async goesOn(doing: Doing, answer: heard.Step | undefined): Promise<boolean> {
    this.followers.get(doing.key)?.(answer);
    const params = heard.nextStep(doing.params, answer);
    if (params && this.all.has(doing.key)) await this.keep({ ...doing, params });
    return params !== undefined;
  }

  /** Continues with the assigned number, as the first in its line. */
  private async number(doing: Doing & { change: heard.Change }): Promise<void> {
    const told = await heard.numbered(this.around.able, doing);
    if (!told) return this.discard(doing.key);
    await this.keep({ ...doing, ...told });
    this.around.take(told.foretold);
  }

  private async refuse(doing: Doing, { code, words }: Refused): Promise<void> {
    if (!(await this.isThere(doing.key))) return this.forget(doing.key);
    const isText = doing.change?.content !== undefined;
    if (isText) await this.keep({ ...doing, state: "refused", code, words });
    if (isText) this.undo(doing);
    else await this.discard(doing.key);
    // Deleting the message ends it, once that is answered.
    const isEnding = isText && texts.isDeleted(doing, await this.ofAllTabs());
    if (!isEnding) this.around.refused({ doing, code, words });
  }

  private undo(doing: Doing): void {
    this.takeBack(doing);
    // Later actions remain valid.
    this.show();
  }

  private takeBack({ key, foretold, inverse }: Doing): void {
    const { take, stillIn } = this.around;
    this.unheard.forget(key);
    // A later one would be taken back to what has never been.
    for (const later of this.all.values()) {
      if (heard.isSame(later.inverse, foretold)) void this.keep({ ...later, inverse });
    }
    take(heard.asFarAsThere(inverse, stillIn));
  }

  private wakeFor({ not_before }: Doing): void {
    const { world } = this.around;
    if (not_before === undefined || not_before <= world.now()) return;
    world.after(not_before - world.now() + 1, () => this.hurry());
  }

  private async keep(doing: Doing): Promise<void> {
    this.all.set(doing.key, doing);
    await this.around.rows.put(doing).then(
      () => this.unkept.delete(doing.key),
      () => this.unkept.add(doing.key),
    );
    this.around.changed();
  }

  private async drop(key: string): Promise<void> {
    this.forget(key);
    await this.around.rows.delete(key);
  }

  private forget(key: string): void {
    this.all.delete(key);
    this.followers.get(key)?.(undefined);
    this.followers.delete(key);
    this.around.changed();
  }
}
