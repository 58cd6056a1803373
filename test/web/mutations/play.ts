// Random actions of a user in several tabs, for the model of a browser.
import type { RandomChance } from "../../store/sample-schema.ts";
import { DELAY_MS_MAX, type MakeQueue, ModelBrowser, type ModelTab } from "./browser.ts";
import { flagOf, FROZEN_ID, reactionOf, REJECTED } from "./server.ts";

const ACTS = 60;
const HOUR_MS = 3_600_000;
const UNDO_MS = 5000;
const MESSAGES = 6;
/** After this time without a change, the queue has tried everything. */
const REST_MS = 30 * 60_000;

export class MutationRun {
  readonly log: string[] = [];
  readonly faults: string[] = [];
  readonly browser: ModelBrowser;
  /** Texts of each tab, in the order in which they were written. */
  readonly written: string[][] = [];
  /** Texts about which the user decides: they may be missing, sent again or out of order. */
  readonly loose = new Set<string>();
  /** The texts that each message may have: several if an edit was rejected after others. */
  readonly contents = new Map<number, Set<string>>();
  private readonly history = new Map<number, string[]>();
  readonly starred = new Map<number, boolean>();
  readonly liked = new Map<number, boolean>();
  readonly deleted = new Set<number>();
  private readonly writing = new Map<ModelTab, string[]>();
  private number = 0;

  constructor(
    make: MakeQueue,
    private readonly chance: RandomChance,
    seed: number,
  ) {
    this.browser = new ModelBrowser(make, seed);
  }

  async run(): Promise<void> {
    const { browser, chance: random } = this;
    for (let offset = 0; offset < MESSAGES; offset += 1) {
      const text = `message ${offset}`;
      this.recordEdit(browser.server.post(text), text, false);
    }
    browser.position = browser.server.events.length;
    await browser.open();
    const actions: ((tab: ModelTab) => Promise<void> | void)[] = [
      (tab) => this.write(tab),
      (tab) => this.write(tab),
      (tab) => this.edit(tab),
      (tab) => this.edit(tab),
      (tab) => this.star(tab),
      (tab) => this.like(tab),
      (tab) => this.erase(tab),
      (tab) => this.decide(tab),
      () => browser.passTime(random.below(3000)),
      () => browser.passTime(random.below(20_000)),
      () => browser.deliver(browser.position + random.below(5)),
      () => browser.deliver(),
      () => void (browser.isOnline = !browser.isOnline),
      () => browser.register(),
      () => this.openOrClose(),
      (tab) => tab.queue.flushNow(),
      () => this.setBack(),
    ];
    for (let step = 0; step < ACTS; step += 1) {
      await random.pick(actions)(random.pick(browser.tabs));
      await browser.settle();
      this.checkDisplayed();
    }
    await this.end();
  }

  /** Checks that pending changes are displayed, whatever the server has sent meanwhile. */
  private checkDisplayed(): void {
    for (const tab of this.browser.tabs) {
      for (const [id, isStarred] of tab.queue.starredMessages()) {
        const message = tab.state.get(id);
        if (message && message.isStarred !== isStarred) this.faults.push(`${id} is not displayed`);
      }
    }
  }

  /** Restores the network, and waits until everything that can still be sent is sent. */
  private async end(): Promise<void> {
    const { browser } = this;
    browser.isOnline = true;
    for (let round = 0; round < 12; round += 1) {
      for (const tab of browser.tabs) tab.queue.flushNow();
      await browser.passTime(REST_MS);
      await browser.deliver();
    }
    this.compareFlags();
    await browser.register();
  }

  /** Checks the flags in all tabs: events alone keep them current; texts may need a new state. */
  private compareFlags(): void {
    for (const { state } of this.browser.tabs) {
      for (const [id, { isStarred, isLiked }] of this.browser.server.messages) {
        const there = state.get(id);
        if (there?.isStarred !== isStarred || there.isLiked !== isLiked)
          this.faults.push(`${id} has other flags in a tab`);
      }
    }
  }

  private write(tab: ModelTab): void {
    const isRejected = this.chance.once(8);
    const text = `text ${(this.number += 1)}${isRejected ? ` ${REJECTED}` : ""}`;
    this.log.push(`write ${text}`);
    tab.queue.send(text);
    if (isRejected) return;
    const texts = this.writing.get(tab) ?? [];
    if (texts.length === 0) this.written.push(texts);
    this.writing.set(tab, texts);
    texts.push(text);
  }

  /** Picks a message that no tab is changing: tabs send the same changes, and one may be late. */
  private pickIdleMessage(kind: RegExp): number | undefined {
    const ids = [...this.contents.keys()].filter((id) => !this.deleted.has(id));
    const { disk, inFlight } = this.browser;
    const waitingChanges = [...disk.doings.values()].filter(({ method, path }) =>
      kind.test(`${method} ${path}`),
    );
    const busy = new Set(
      [...waitingChanges, ...inFlight].map(
        ({ path, params }) => Number(path.split("/")[2]) || params["messages"]?.[0],
      ),
    );
    const remaining = ids.filter((id) => !busy.has(id));
    return remaining.length === 0 ? undefined : this.chance.pick(remaining);
  }

  private async edit(tab: ModelTab): Promise<void> {
    const id = this.pickIdleMessage(/PATCH|DELETE .messages.\d+$/);
    if (id === undefined || !tab.state.has(id)) return;
    const texts = this.chance.once(3) ? 2 : 1;
    for (let offset = 0; offset < texts; offset += 1) {
      const isRejected = this.chance.once(6);
      const text = `edit ${(this.number += 1)}${isRejected ? ` ${REJECTED}` : ""}`;
      this.log.push(`edit ${id} ${text}`);
      const before = tab.state.get(id)!.content;
      await tab.queue.edit(id, text, before);
      this.recordEdit(id, text, isRejected);
    }
  }

  /** Records a new text. A rejected edit has replaced those that were pending before it. */
  private recordEdit(id: number, text: string, isRejected: boolean): void {
    const before = this.history.get(id) ?? [];
    if (isRejected) return void this.contents.set(id, new Set(before));
    this.history.set(id, [...before, text]);
    this.contents.set(id, new Set([text]));
  }

  /** Sets the clock back. After a day, the user has to decide about messages that were tried. */
  private setBack(): void {
    if (!this.chance.once(4)) return;
    const isDay = this.chance.once(2);
    this.log.push(`clock back by a ${isDay ? "day" : "hour"}`);
    this.browser.setBack((isDay ? 24 : 1) * HOUR_MS);
    if (!isDay) return;
    for (const { text } of this.browser.disk.outbox.values()) this.loose.add(text);
  }

  private async star(tab: ModelTab): Promise<void> {
    const id = this.pickIdleMessage(/flags|DELETE .messages.\d+$/);
    const message = id === undefined ? undefined : tab.state.get(id);
    if (id === undefined || !message || this.isBehind()) return;
    const is = !message.isStarred;
    this.log.push(`star ${id} ${is}`);
    this.starred.set(id, is && id !== FROZEN_ID);
    const params = { op: is ? "add" : "remove", flag: "starred", messages: [id] };
    const request = { method: "POST", path: "/messages/flags", params, priority: "flags" };
    await tab.queue.change(request, [flagOf(id, is)], [flagOf(id, !is)]);
  }

  private async like(tab: ModelTab): Promise<void> {
    const id = this.pickIdleMessage(/reactions|DELETE .messages.\d+$/);
    const message = id === undefined ? undefined : tab.state.get(id);
    if (id === undefined || !message || this.isBehind()) return;
    const is = !message.isLiked;
    this.log.push(`like ${id} ${is}`);
    this.liked.set(id, is && id !== FROZEN_ID);
    const params = { emoji_name: "heart" };
    const [method, path] = [is ? "POST" : "DELETE", `/messages/${id}/reactions`];
    const request = { method, path, params, priority: "flags" };
    await tab.queue.change(request, [reactionOf(id, is)], [reactionOf(id, !is)]);
  }

  /** Whether events are still missing; a tab without its own events may show something older. */
  private isBehind(): boolean {
    return this.browser.position < this.browser.server.events.length;
  }

  private async erase(tab: ModelTab): Promise<void> {
    if (!this.chance.once(3)) return;
    const id = this.pickIdleMessage(/./);
    if (id === undefined || !tab.state.has(id)) return;
    this.log.push(`delete ${id}`);
    const params = { method: "DELETE", path: `/messages/${id}`, params: {}, priority: "send" };
    const key = await tab.queue.change(params, [], [], {
      change: { message_id: id },
      done: [{ type: "delete_message", message_ids: [id] }],
      not_before: this.browser.now() + UNDO_MS,
    });
    if (this.chance.once(2)) {
      this.log.push(`undo deletion ${id}`);
      await tab.queue.discard(key);
    } else this.deleted.add(id);
  }

  /** Decides about a message that was rejected or may have arrived, as the user does. */
  private async decide(tab: ModelTab): Promise<void> {
    const open = tab.queue.messages().filter(({ state }) => state !== "sent");
    if (open.length === 0) return;
    const { key, text, state } = this.chance.pick(open);
    const isRetry = state !== "waiting" && this.chance.once(2);
    if (!isRetry && !this.chance.once(3)) return;
    this.log.push(`${isRetry ? "retry" : "discard"} ${state} ${text}`);
    this.loose.add(text);
    await (isRetry ? tab.queue.retry(key) : tab.queue.discard(key));
  }

  private async openOrClose(): Promise<void> {
    const { browser, chance: random } = this;
    if (browser.tabs.length === 3 || (browser.tabs.length === 2 && random.once(2))) {
      this.log.push("close");
      await browser.close(random.pick(browser.tabs));
    }
    // A new tab sends what the others have stored: their requests in flight arrive first.
    await browser.passTime(DELAY_MS_MAX);
    this.log.push("open");
    await browser.open();
  }
}
