// Why a picture did not come, and when it is worth asking for it again.
import { parseUrl } from "../../../text/input/parse-url.ts";
import { sync } from "../../here.ts";
import type { Word } from "../../words/words.ts";

/** A guess before the server answers. */
export const guessed = (): Word => (navigator.onLine ? "picture-broken" : "picture-waits");

const FAULT = 500;

/** Without an answer, the picture may still exist. Pictures of other sites cannot be checked. */
export async function whyNot(src: string): Promise<Word> {
  const isOurs = parseUrl(src, location.href)?.origin === location.origin;
  if (!isOurs || !navigator.onLine) return guessed();
  const answer = await fetch(src, { method: "HEAD" }).catch(() => undefined);
  return answer && answer.status < FAULT ? "picture-broken" : "picture-waits";
}

/** Calls when there is a network, or the server, where there was none; gives what ends it. */
export function onReached(again: () => void): () => void {
  let was = sync.standing.peek().kind;
  const stop = sync.standing.subscribe(({ kind }) => {
    if (kind === "live" && was !== "live") again();
    was = kind;
  });
  addEventListener("online", again);
  return () => {
    stop();
    removeEventListener("online", again);
  };
}
