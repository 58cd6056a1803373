// The layout of the server's HTML pages, with strict security headers.
import type { Realm } from "../../realm.ts";
import { realmIconPath } from "../realm/picture-wire.ts";
import { REALM_ID } from "../realm/rules.ts";
import { type Visitor, translatorOf } from "../i18n/negotiate-language.ts";
import { Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";
import { STYLESHEET } from "./stylesheet.ts";

/** Additional permissions of a page. */
interface Framing {
  readonly cookies?: readonly string[];
  /** URL schemes of apps, such as `app:`, to which a form may redirect. */
  readonly schemes?: readonly string[];
  /** The URL of the page's only script, a file of this server. */
  readonly script?: string;
  /** The page has forms, so the browser must send the origin with them. */
  readonly hasForms?: boolean;
  readonly illustration?: Illustration;
  /** Set if the language of the page is not that of the visitor. */
  readonly speech?: Translator;
}

/** The illustration beside a page. */
export type Illustration = "thread" | "start" | "joining";

/** Renders a page with the organization's icon and name, in the visitor's language. */
export function page(
  visitor: Visitor,
  title: string,
  body: Html,
  status = 200,
  framing: Framing = {},
): Response {
  const { cookies = [], schemes = [], script, hasForms = false } = framing;
  const run = script === undefined ? "" : "script-src 'self'; connect-src 'self'; ";
  const headers = new Headers(HEADERS);
  headers.set(
    "Content-Security-Policy",
    `default-src 'none'; ${run}style-src 'self'; img-src 'self' data:; ` +
      `form-action ${["'self'", ...schemes].join(" ")}; base-uri 'none'; frame-ancestors 'none'`,
  );
  // Browsers otherwise omit the Origin of form requests.
  if (hasForms) headers.set("Referrer-Policy", "same-origin");
  for (const cookie of cookies) headers.append("Set-Cookie", cookie);
  const loaded =
    script === undefined ? markup`` : markup`<script type="module" src="${script}"></script>`;
  const all = markup`${headOf(visitor.realm, title)}${body}${loaded}`;
  const translator = framing.speech ?? translatorOf(visitor);
  const text = documentOf(translator, title, all, framing).text;
  return new Response(text, { status, headers });
}

/** The logo of the organization, and its name if the title does not contain it. */
function headOf(realm: Realm | undefined, title: string): Html {
  const settings = realm?.read.realm.get(REALM_ID)?.settings;
  const icon = realm && iconOf(realm);
  const mark =
    icon === undefined
      ? MARK
      : markup`<img class="mark" src="${icon}" width="44" height="44" alt="">`;
  const name = settings?.name ?? NAME;
  const words = title.includes(name) ? markup`` : markup`<p><bdi>${name}</bdi></p>`;
  return markup`<header>${mark}${words}</header>
<h1>${title}</h1>
`;
}

/** The icon of the organization; without one, the page shows the logo of Skein. */
export function iconOf({ read }: Realm): string | undefined {
  const settings = read.realm.get(REALM_ID)?.settings;
  return settings?.icon_file ? realmIconPath(settings) : undefined;
}

const NAME = "Skein";

export const link = (href: string, text: string): Html => markup`<a href="${href}">${text}</a>`;
export const button = (href: string, text: string): Html =>
  markup`<a class="button" href="${href}">${text}</a>`;
/** A link to the next step, shown as the main button. */
export const firstButton = (href: string, text: string): Html =>
  markup`<a class="button first" href="${href}">${text}</a>`;

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  // The URLs of these pages contain secrets.
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
};

function documentOf(
  translator: Translator,
  title: string,
  body: Html,
  { illustration = "thread" }: Framing,
): Html {
  const [text, more] = [
    translator.translate(`illustration-${illustration}`),
    translator.translate(`illustration-${illustration}-more`),
  ];
  return markup`<!doctype html>
<html lang="${translator.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – ${NAME}</title>
<link rel="stylesheet" href="${STYLESHEET}">
</head>
<body>
<main><div>
${body}
</div></main>
<aside class="side">${illustrationHtml(illustration)}<p><strong>${text}</strong>${more}</p></aside>
</body>
</html>
`;
}

/** Skein's logo, for organizations without an icon. */
export const MARK = new Html(
  '<svg class="mark" viewBox="0 0 24 24" aria-hidden="true"><g fill="none" ' +
    'stroke="currentColor" stroke-width="1.9" stroke-linecap="round"><path d="M17.5 6.2C15.8 ' +
    "4.5 13.6 4 11.4 4.3 8.3 4.7 6.3 6.5 6.6 8.7c.6 4 10.6 2.7 11 6.9.2 2.3-2 4-5.1 4.2-2.3.1" +
    '-4.5-.5-6.1-2.1"/><path d="M14.6 8.6c-1.1-.9-2.7-1-3.5-.5-.7.5-.5 1.3.5 1.8M9.3 15.3c1.1.9' +
    ' 2.8 1.1 3.7.6.8-.5.6-1.3-.4-1.9"/></g></svg>',
);

const THREADS = 13;
const MIDDLE = (THREADS - 1) / 2;

/** The SVG path of the curve with the number `n`; the curves of a drawing are parallel. */
const DRAWINGS: Readonly<Record<Illustration, (n: number) => string>> = {
  thread: (n) =>
    `M-40 ${250 + 28 * n}C120 ${46 * n - 50} 220 ${450 + 16 * n} 340 ${280 + 9 * n}` +
    `S560 ${52 * n - 130} 740 ${180 + 28 * n}`,
  start: (n) =>
    `M-40 620C140 620 200 ${560 - 6 * n} 300 ${440 - 12 * n}` +
    `S500 ${100 + 46 * n} 740 ${60 + 46 * n}`,
  joining: (n) =>
    `M-40 ${40 + 44 * n}C120 ${40 + 44 * n} 190 ${92 + 35.2 * n} 300 ${246 + 9 * n}` +
    `S430 ${363 + 1.5 * n} 740 ${312 + 3 * n}`,
};

function illustrationHtml(illustration: Illustration): Html {
  const paths = Array.from({ length: THREADS }, (_, n) => {
    const opacity = (0.95 - 0.11 * Math.abs(n - MIDDLE)).toFixed(2);
    return markup`<path opacity="${opacity}" d="${DRAWINGS[illustration](n)}"/>`;
  });
  const group = markup`<g fill="none" stroke="currentColor" stroke-width="3"
stroke-linecap="round">${paths}</g>`;
  return markup`<svg viewBox="0 0 680 860" preserveAspectRatio="xMidYMid slice"
aria-hidden="true">${group}</svg>`;
}
