// Tells somebody who opens an address from what a page of another site has the browser load.
import { notOpened } from "../../contract/errors/people.ts";

/**
 * Addresses that let somebody in are opened as a page of their own: not as a picture, not in a
 * frame, not by a script, and nobody only looks whether they are there.
 */
export function checkOpened(request: Request): void {
  if (!isOpened(request)) throw notOpened();
}

/** Browsers that say nothing of it are old, and programs are no browsers. */
export function isOpened({ method, headers }: Request): boolean {
  const mode = headers.get("sec-fetch-mode") ?? "navigate";
  const place = headers.get("sec-fetch-dest") ?? "document";
  return method !== "HEAD" && mode === "navigate" && place === "document";
}
