// Polls for all tabs of a session where the browser has no locks by which one of them could lead.
import { world } from "../api/ask.ts";
import { isAnothers, isForVisitors, isSignedOut } from "../api/http.ts";
import { Cache } from "../sync/cache.ts";
import { Leading } from "../sync/leading.ts";
import { type Joining, type Left, type News, openNews } from "../sync/news.ts";
import { Poller } from "../sync/poll.ts";

const worker = self as unknown as SharedWorkerGlobalScope;
let isPolling = false;
/** After a fault that is no answer of the server. */
const AGAIN_MS = 5000;

worker.addEventListener("connect", ({ ports }) => {
  ports[0]?.addEventListener("message", ({ data }: MessageEvent<Joining>) => {
    if (isPolling) return;
    isPolling = true;
    void pollFor(data);
  });
  ports[0]?.start();
});

async function pollFor({ session, user_id, csrf }: Joining): Promise<void> {
  let who = user_id;
  let cache: Promise<Cache | undefined> | undefined;
  const asking = { user_id: () => who, csrf: () => csrf };
  const ended = new AbortController();
  const hear = (news: News) => {
    if (news.kind === "left") void end();
    if (news.kind === "kick") poller.kick();
    if (news.kind === "joined" || news.kind === "wanted") leading.sayAgain();
  };
  const channel = openNews(session, hear);
  const leading = new Leading({
    asking,
    cacheOf(of) {
      who = of;
      return (cache ??= Cache.open(of));
    },
    place: async () => (await (await cache)?.start())?.place,
    tell: (news) => channel.tell(news),
    lostDisk: () => {
      cache = Promise.resolve(undefined);
    },
  });
  const poller = new Poller(leading, world);
  /** The tabs delete the database, for which no handle on it may be open. */
  const end = async () => {
    ended.abort();
    (await cache)?.close();
    worker.close();
  };
  while (!ended.signal.aborted) {
    try {
      await poller.run(ended.signal);
    } catch (error) {
      const why = who === undefined ? without(error) : leftBy(error);
      if (why !== undefined) {
        channel.tell({ kind: "left", why });
        return end();
      }
      // A fault of ours: the tabs delete nothing for it.
      reportError(error);
      await new Promise<void>((resolve) => void world.after(AGAIN_MS, resolve));
    }
  }
}

function leftBy(error: unknown): Left | undefined {
  if (isSignedOut(error)) return "signed-out";
  return isAnothers(error) ? "another" : undefined;
}
/** There was no session. */
const without = (error: unknown): Left => (isForVisitors(error) ? "visiting" : "signed-out");
