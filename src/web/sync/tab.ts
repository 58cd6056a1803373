// A tab's role in the shared poll of its session: leads if possible, else follows.
import type { Runtime } from "../api/runtime.ts";
import { scriptAt } from "../trusted-types.ts";
import { runAsLeader } from "./leader.ts";
import type { JoinMessage } from "./tab-messages.ts";
import { Poller } from "./poll.ts";
import type { Sync } from "./sync.ts";

/**
 * After this time without a response, the connection is checked when the user returns to the tab.
 */
const QUIET_MS = 60_000;
const CHECK_MS = 45_000;
const SLEEP_MS_MIN = 90_000;

export class Tab {
  private poller: Poller | undefined;
  private abortController = new AbortController();
  private isAwake = Promise.withResolvers<void>();

  constructor(
    private readonly sync: Sync,
    private readonly runtime: Runtime,
    private readonly csrf: () => string,
  ) {
    this.isAwake.resolve();
  }

  /** A worker outlives single tabs; without locks it is the more reliable leader. */
  start(): void {
    this.watch();
    const isWorkers = !navigator.locks && "SharedWorker" in globalThis;
    if (isWorkers) this.join();
    void this.competeForLeadership(isWorkers ? untilAborted : (signal) => this.poll(signal));
  }

  /** Polls at once, whichever tab leads. */
  checkNow(isAnotherNetwork = false): void {
    this.sync.retryNow(isAnotherNetwork);
    if (this.poller) this.poller.checkNow();
    else if (!this.sync.hasLeft) this.sync.send({ kind: "kick" });
  }

  private join(): void {
    const { session, user_id } = this.sync;
    const worker = new SharedWorker(scriptAt("/poll.js"), { name: `skein-${session}` });
    const joining: JoinMessage = { session, user_id, csrf: this.csrf() };
    worker.port.postMessage(joining);
  }

  /** The leading tab polls if no worker does, and shows notifications. */
  private async competeForLeadership(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    while (!this.sync.hasLeft) {
      await this.isAwake.promise;
      this.abortController = new AbortController();
      const { signal } = this.abortController;
      await runAsLeader(this.sync.session, this.runtime, signal, async (signal) => {
        this.sync.isLeading.value = true;
        await work(signal).finally(() => (this.sync.isLeading.value = false));
      });
    }
  }

  private async poll(signal: AbortSignal): Promise<void> {
    const leading = this.sync.startLeading();
    const poller = new Poller(leading, this.runtime);
    this.poller = poller;
    const stop = this.sync.onAsked((message) =>
      message === "kick" ? poller.checkNow() : leading.repeatStatus(),
    );
    try {
      await poller.run(signal);
    } catch (error) {
      this.sync.onRequestError(error);
      if (!this.sync.hasLeft) this.sync.giveUp(error);
    } finally {
      stop();
      this.poller = undefined;
    }
  }

  /**
   * There is no event for a machine's sleep, but afterwards more time has passed than a timer was
   * set to.
   */
  private detectSleep(before: number): void {
    if (this.sync.hasLeft) return;
    this.runtime.after(CHECK_MS, () => {
      const now = this.runtime.now();
      if (now - before > SLEEP_MS_MIN) this.checkNow();
      this.detectSleep(now);
    });
  }

  private watch(): void {
    const wake = () => {
      this.isAwake.resolve();
      const { lastEventAt, connection } = this.sync;
      const isQuiet = Math.abs(this.runtime.now() - lastEventAt) > QUIET_MS;
      if (connection.value.kind !== "live" || isQuiet) this.checkNow();
    };
    const sleep = () => {
      this.isAwake = Promise.withResolvers();
      this.abortController.abort();
    };
    this.detectSleep(this.runtime.now());
    for (const is of ["online", "offline"]) window.addEventListener(is, () => this.checkNow(true));
    window.addEventListener("focus", wake);
    window.addEventListener("pageshow", ({ persisted }) => {
      // Browsers keep pages for the back button; a page whose session has ended is reloaded.
      if (persisted && this.sync.hasLeft) location.reload();
      else wake();
    });
    document.addEventListener("visibilitychange", () => document.hidden || wake());
    document.addEventListener("resume", wake);
    // A frozen tab cannot poll and would keep the lock.
    document.addEventListener("freeze", sleep);
    window.addEventListener("pagehide", (event) => event.persisted && sleep());
  }
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
