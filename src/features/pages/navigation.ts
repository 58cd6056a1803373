// Distinguishes users who open a URL from requests that pages of other sites cause.
import { notOpened } from "../../contract/errors/people.ts";

/**
 * URLs that sign a user in must be opened as top-level pages: not as images, in frames or by
 * scripts, and not with HEAD requests.
 */
export function checkNavigation(request: Request): void {
  if (!isNavigation(request)) throw notOpened();
}

/** Old browsers and other programs do not send these headers. */
export function isNavigation({ method, headers }: Request): boolean {
  const mode = headers.get("sec-fetch-mode") ?? "navigate";
  const path = headers.get("sec-fetch-dest") ?? "document";
  return method !== "HEAD" && mode === "navigate" && path === "document";
}
