// Determines why an image could not be loaded, and when to retry.
import { parseUrl } from "../../../text/input/parse-url.ts";
import { sync } from "../../sync/session.ts";
import type { TextKey } from "../../words/words.ts";

/** The probable reason, before the server responds. */
export const likelyReason = (): TextKey => (navigator.onLine ? "picture-broken" : "picture-waits");

const FAULT = 500;

/** If there is no response, the picture may still exist. Other sites are not checked. */
export async function loadFailureReason(src: string): Promise<TextKey> {
  const isOurs = parseUrl(src, location.href)?.origin === location.origin;
  if (!isOurs || !navigator.onLine) return likelyReason();
  const response = await fetch(src, { method: "HEAD" }).catch(() => undefined);
  return response && response.status < FAULT ? "picture-broken" : "picture-waits";
}

/**
 * Calls the function when the network or server is reachable again. Returns a function that stops.
 */
export function onReachable(callback: () => void): () => void {
  let was = sync.connection.peek().kind;
  const stop = sync.connection.subscribe(({ kind }) => {
    if (kind === "live" && was !== "live") callback();
    was = kind;
  });
  addEventListener("online", callback);
  return () => {
    stop();
    removeEventListener("online", callback);
  };
}
