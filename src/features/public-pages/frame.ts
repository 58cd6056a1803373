// The layout of the public pages: without scripts and cookies, and revalidated on each request.
import type { Realm } from "../../realm.ts";
import { iconOf, MARK } from "../pages/page.ts";
import { type Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";
import { PUBLIC_STYLESHEET } from "../pages/stylesheet.ts";
import { canBeIndexed } from "./access.ts";
import { PUBLIC } from "./addresses.ts";

const NOT_MODIFIED = 304;
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS = {
  // Revalidated each time, so that pages disappear as soon as a channel is no longer public.
  "Cache-Control": "no-cache",
  Vary: "Accept-Language",
  "Content-Security-Policy": POLICY,
  "Referrer-Policy": "same-origin",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

interface FramedPage {
  readonly speech: Translator;
  readonly title: string;
  /** A one-line description of the page. */
  readonly description?: string;
  /** The canonical path of this page, starting with `/`. */
  readonly canonical: string;
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
  /** Link to the client, for visitors with an account. */
  readonly client: string;
  readonly body: Html;
  readonly status?: number;
}

export function publicPage(realm: Realm, request: Request, framed: FramedPage): Response {
  const { read } = realm;
  const {
    speech: translator,
    title,
    description = "",
    canonical,
    previous,
    next,
    client,
    body,
  } = framed;
  const { language, translate } = translator;
  const { url } = read.config;
  const { name } = read.settings;
  const icon = iconOf(realm);
  const mark =
    icon === undefined
      ? MARK
      : markup`<img class="mark" src="${icon}" width="28" height="28" alt="">`;
  const robots = canBeIndexed(read) ? markup`` : markup`<meta name="robots" content="noindex">`;
  const html =
    description === "" ? markup`` : markup`<meta name="description" content="${description}">`;
  const linkTo = (rel: string, path: string | undefined) =>
    path === undefined ? markup`` : markup`<link rel="${rel}" href="${url}${path}">`;
  const documentTitle = title === name ? name : `${title} · ${name}`;
  const { text } = markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${documentTitle}</title>
${html}${robots}${linkTo("canonical", canonical)}${linkTo("prev", previous)}${linkTo("next", next)}
<link rel="stylesheet" href="${PUBLIC_STYLESHEET}">
</head>
<body>
<a class="skip" href="#main">${translate("public-skip")}</a>
<header class="top"><a class="home" href="${PUBLIC}">${mark}<bdi>${name}</bdi></a>
<a class="button" href="/login/?next=${encodeURIComponent(client)}">${translate("sign-in")}</a>
</header>
<main id="main">
${body}
</main>
</body>
</html>
`;
  return withEtag(realm, request, text, "text/html; charset=utf-8", framed.status);
}

/** Adds an ETag, so that unchanged pages are not sent again. */
export function withEtag(
  realm: Realm,
  request: Request,
  text: string,
  type: string,
  status = 200,
): Response {
  const etag = `"${Bun.hash(text).toString(36)}"`;
  const headers = new Headers({ ...HEADERS, "Content-Type": type, ETag: etag });
  if (!canBeIndexed(realm.read)) headers.set("X-Robots-Tag", "noindex");
  const etags = request.headers.get("if-none-match")?.split(",") ?? [];
  const isKnown = etags.some((item) => item.trim().replace(/^W\//, "") === etag);
  return isKnown
    ? new Response(null, { status: NOT_MODIFIED, headers })
    : new Response(text, { status, headers });
}
