// Responds with the bytes of a file, with headers that prevent uploads from executing.
import type { OpenContext } from "../../endpoint.ts";
import { png } from "../../pictures/png.ts";
import { streamedResponse } from "../../server/body/response-timeouts.ts";
import { prefersHtml } from "../../server/context.ts";
import { firstButton, page } from "../pages/page.ts";
import { translatorOf } from "../i18n/negotiate-language.ts";
import { markup } from "../i18n/markup.ts";
import type { StoredBlob } from "./blob-store.ts";
import { isShownInline, parseRange } from "./rules.ts";

const YEAR_SECONDS = 31_536_000;
/** Larger files are streamed. */
const UNSTREAMED_BYTES_MAX = 1_048_576;
const CACHE_FOREVER = `private, immutable, max-age=${YEAR_SECONDS}`;
const POLICY = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

interface ServedFile {
  name: string;
  content_type: string;
}

/**
 * The bytes at one of this server's URLs never change, so ranges always match earlier ones; `cache`
 * applies to content of other hosts.
 */
export async function serveBytes(
  request: Request,
  bytes: StoredBlob,
  { name, content_type }: ServedFile,
  requestedDisposition: "inline" | "attachment",
  cache = CACHE_FOREVER,
): Promise<Response> {
  const disposition = isShownInline(content_type) ? requestedDisposition : "attachment";
  const isText = content_type.startsWith("text/");
  const headers = new Headers({
    "Content-Type": isText ? `${content_type}; charset=utf-8` : content_type,
    "Content-Disposition": `${disposition}; filename*=UTF-8''${encodeFileName(name)}`,
    "Cache-Control": cache,
    "Accept-Ranges": "bytes",
    // PDF viewers of browsers do not work in a sandbox.
    "Content-Security-Policy":
      content_type === "application/pdf" ? `${POLICY}; object-src 'self'` : `${POLICY}; sandbox`,
    "Referrer-Policy": "no-referrer",
  });
  const { size } = bytes;
  const span = parseRange(request.headers.get("range"), size);
  if (span === "none") {
    headers.set("Content-Range", `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const { from, to } = span === "whole" ? { from: 0, to: size } : span;
  const status = span === "whole" ? 200 : 206;
  if (span !== "whole") headers.set("Content-Range", `bytes ${from}-${to - 1}/${size}`);
  if (request.method === "HEAD") {
    headers.set("Content-Length", String(to - from));
    return new Response(null, { status, headers });
  }
  const body = await bytes.body(span === "whole" ? undefined : span);
  const isLong = to - from > UNSTREAMED_BYTES_MAX;
  if (body instanceof Uint8Array || !isLong) return new Response(body, { status, headers });
  return streamedResponse(body, { status, headers });
}

/** RFC 8187 allows fewer unescaped characters than URLs do. */
function encodeFileName(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const WORDS = {
  403: "You are not allowed to read this file.",
  404: "There is no such file, or it was deleted.",
  503: "Too many requests. Try again in a minute.",
};
const PLACEHOLDER_PIXELS = 64;

/** Responds with text to page requests, and with a gray image to image requests. */
export function fileDenied(
  { realm, request, user }: Pick<OpenContext, "realm" | "request" | "user">,
  status: keyof typeof WORDS,
  moreHeaders: Record<string, string> = {},
): Response {
  const headers = { "Cache-Control": "private, no-store", ...moreHeaders };
  if (prefersHtml(request)) {
    const { translate } = translatorOf({ realm, request, user });
    const body = markup`<p>${translate(`file-${status}`)}</p>
${firstButton("/", translate("open-skein"))}`;
    const title = translate(status === 404 ? "not-found" : "request-rejected");
    const errorPage = page({ realm, request, user }, title, body, status);
    for (const [name, value] of Object.entries(headers)) errorPage.headers.set(name, value);
    return errorPage;
  }
  if (!/^image\//.test(request.headers.get("accept") ?? "")) {
    const textHeaders = { ...headers, "Content-Type": "text/plain; charset=utf-8" };
    return new Response(WORDS[status], { status, headers: textHeaders });
  }
  const grey = png(
    PLACEHOLDER_PIXELS,
    PLACEHOLDER_PIXELS,
    [[200, 200, 200]],
    new Uint8Array(PLACEHOLDER_PIXELS * PLACEHOLDER_PIXELS),
  );
  return new Response(grey, { status, headers: { ...headers, "Content-Type": "image/png" } });
}
