// Polls for all tabs of a session in browsers without locks, which leader election would need.
import { browserRuntime } from "../api/runtime.ts";
import { isOtherAccount, isSpectatorError, isSignedOut } from "../api/http.ts";
import { Cache } from "../sync/cache.ts";
import { LeaderTasks } from "../sync/leader-tasks.ts";
import {
  type JoinMessage,
  type LeaveReason,
  type TabMessage,
  openTabChannel,
} from "../sync/tab-messages.ts";
import { Poller } from "../sync/poll.ts";

declare const self: SharedWorkerGlobalScope;
const worker = self;
let isPolling = false;
/** Delay after an error that is not a response of the server. */
const RETRY_MS = 5000;

worker.addEventListener("connect", ({ ports }) => {
  ports[0]?.addEventListener("message", ({ data }: MessageEvent<JoinMessage>) => {
    if (isPolling) return;
    isPolling = true;
    void pollForTabs(data);
  });
  ports[0]?.start();
});

async function pollForTabs({ session, user_id, csrf }: JoinMessage): Promise<void> {
  let user = user_id;
  let cache: Promise<Cache | undefined> | undefined;
  const requestContext = { user_id: () => user, csrf: () => csrf };
  const ended = new AbortController();
  const receive = (message: TabMessage) => {
    if (message.kind === "left") void end();
    if (message.kind === "kick") poller.checkNow();
    if (message.kind === "joined" || message.kind === "wanted") leading.repeatStatus();
  };
  const channel = openTabChannel(session, receive);
  const leading = new LeaderTasks({
    requestContext,
    cacheOf(user_id) {
      user = user_id;
      return (cache ??= Cache.open(user_id));
    },
    cursor: async () => (await (await cache)?.start())?.cursor,
    send: (message) => channel.send(message),
    onDiskLost: () => {
      cache = Promise.resolve(undefined);
    },
  });
  const poller = new Poller(leading, browserRuntime);
  /** The tabs delete the database, so this worker must close its connection first. */
  const end = async () => {
    ended.abort();
    (await cache)?.close();
    worker.close();
  };
  while (!ended.signal.aborted) {
    try {
      await poller.run(ended.signal);
    } catch (error) {
      const reason = user === undefined ? reasonToLeave(error) : leaveReasonOf(error);
      if (reason !== undefined) {
        channel.send({ kind: "left", why: reason });
        return end();
      }
      // An internal error; the tabs keep their data.
      reportError(error);
      await new Promise<void>((resolve) => void browserRuntime.after(RETRY_MS, resolve));
    }
  }
}

function leaveReasonOf(error: unknown): LeaveReason | undefined {
  if (isSignedOut(error)) return "signed-out";
  return isOtherAccount(error) ? "another" : undefined;
}
/** Returns the reason why the tabs must stop, after a response without a session. */
const reasonToLeave = (error: unknown): LeaveReason =>
  isSpectatorError(error) ? "visiting" : "signed-out";
