// Serves the browser client: its page and its files.
import { client, SHELL } from "../../assets/client.ts";
import type { ClientFile, Encoding } from "../../assets/files.ts";
import { pathNotFound } from "../../contract/errors/general.ts";
import { nonNegativeInt, type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import { SIGNED_OUT_SCRIPT } from "../pages/form.ts";
import { redirect } from "../pages/login-redirect.ts";
import { isDeactivated } from "../realm/access.ts";
import { checkRoot } from "../sign-in/choose-organization.ts";
import { type Visitor, translatorOf } from "../i18n/negotiate-language.ts";
import type { Language } from "../i18n/translations.ts";
import { SHELL_HEADERS } from "./headers.ts";

/** File names contain a content hash. */
const CACHE_FOREVER = "public, max-age=31536000, immutable";
const REVALIDATE = "no-cache";
const NOT_MODIFIED = 304;

/** The page is the same for everyone; its first request shows whether the user is signed in. */
export const showShell = openEndpoint({
  summary: "Open the client",
  tag: "Pages",
  params: {},
  run: ({ realm, request }) => shellFor(realm, request),
  withoutRealm(context) {
    checkRoot(context);
    return redirect("/accounts/go/", []);
  },
});

/** A short link to a message, which the client opens. */
export const showShellAtMessage = openEndpoint({
  summary: "Open the client at a message",
  tag: "Pages",
  params: { message_id: nonNegativeInt },
  run: ({ realm, request }) => shellFor(realm, request),
});

export const getAsset = openEndpoint({
  summary: "Get a file of the client",
  tag: "Pages",
  params: { file: text },
  run: ({ request }, { file }) =>
    assetResponse(request, `/assets/${file}`, { "Cache-Control": CACHE_FOREVER }),
});

const HELP_HEADERS = {
  "Cache-Control": REVALIDATE,
  "Content-Security-Policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Referrer-Policy": "same-origin",
};

/** The languages of the help pages; others get English. */
const HELP_LANGUAGES: readonly string[] = ["en", "de"] satisfies Language[];

export const getHelp = openEndpoint({
  summary: "Show the contents of the help center",
  tag: "Pages",
  params: {},
  run: (context) => helpFor(context, ""),
});

/** A help page, or the table of contents in a language. */
export const getHelpPage = openEndpoint({
  summary: "Show a help page in the reader's language",
  tag: "Pages",
  params: { page: text },
  run: (context, { page }) =>
    HELP_LANGUAGES.includes(page)
      ? assetResponse(context.request, `/help/${page}/`, HELP_HEADERS)
      : helpFor(context, `${page}/`),
});

export const getHelpPageIn = openEndpoint({
  summary: "Show a help page in a given language",
  tag: "Pages",
  params: { language: text, page: text },
  run: ({ request }, { language, page }) =>
    assetResponse(request, `/help/${language}/${page}/`, HELP_HEADERS),
});

function helpFor(visitor: Visitor & Pick<OpenContext, "request">, rest: string) {
  const { language } = translatorOf(visitor);
  const path = `/help/${HELP_LANGUAGES.includes(language) ? language : "en"}/${rest}`;
  return assetResponse(
    visitor.request,
    path,
    HELP_HEADERS,
    "Accept-Encoding, Accept-Language, Cookie",
  );
}

export const getServiceWorker = openEndpoint({
  summary: "Get the client's service worker",
  tag: "Pages",
  params: {},
  run: ({ request }) => assetResponse(request, "/sw.js", { "Cache-Control": REVALIDATE }),
});

/** The shared worker that polls for all tabs, in browsers without a better mechanism. */
export const getPollWorker = openEndpoint({
  summary: "Get the client's polling worker",
  tag: "Pages",
  params: {},
  run: ({ request }) => assetResponse(request, "/poll.js", { "Cache-Control": REVALIDATE }),
});

/** Runs on the sign-in page, for visitors who are not signed in. */
export const getSignedOutScript = openEndpoint({
  summary: "Get the script that deletes a browser's data of ended sessions",
  tag: "Pages",
  params: {},
  run: ({ request }) => assetResponse(request, SIGNED_OUT_SCRIPT, { "Cache-Control": REVALIDATE }),
});

export const getManifest = openEndpoint({
  summary: "Get the web app manifest of the client",
  tag: "Pages",
  params: {},
  run: ({ request }) =>
    assetResponse(request, "/manifest.webmanifest", { "Cache-Control": REVALIDATE }),
});

/** If the organization is not set up or is deactivated, the sign-in page says so. */
function shellFor({ read }: Realm, request: Request): Response | Promise<Response> {
  if (!read.realm.has(1) || isDeactivated(read)) return redirect("/login/", []);
  return assetResponse(request, SHELL, SHELL_HEADERS);
}

async function assetResponse(
  request: Request,
  path: string,
  more: Readonly<Record<string, string>>,
  vary = "Accept-Encoding",
): Promise<Response> {
  const file = await client.fileAt(path);
  if (file === undefined) throw pathNotFound();
  const headers = new Headers({ ...ALWAYS, ...more, "Content-Type": file.type, ETag: file.etag });
  headers.set("Vary", vary);
  if (isKnown(request, file)) return new Response(null, { status: NOT_MODIFIED, headers });
  const [encoding, bytes] = encoded(request, file);
  if (encoding !== "identity") headers.set("Content-Encoding", encoding);
  return new Response(bytes, { headers });
}

const ALWAYS = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
};

function isKnown({ headers }: Request, { etag }: ClientFile): boolean {
  const etags = headers.get("if-none-match")?.split(",") ?? [];
  return etags.some((item) => item.trim().replace(/^W\//, "") === etag);
}

/** The smallest encoding that the browser accepts. */
function encoded({ headers }: Request, file: ClientFile) {
  const acceptHeader = headers.get("accept-encoding") ?? "";
  const accepts = (encoding: Encoding) =>
    new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, "i").test(acceptHeader);
  for (const encoding of ["br", "gzip"] as const) {
    const bytes = accepts(encoding) ? file.bytes(encoding) : undefined;
    if (bytes !== undefined) return [encoding, bytes] as const;
  }
  return ["identity", file.bytes("identity")!] as const;
}
