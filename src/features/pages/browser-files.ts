// Files that browsers and crawlers request by themselves, and the pages for errors.
import type { Refusal } from "../../contract/errors/general.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint } from "../../endpoint.ts";
import { partsOf } from "../../server/routing.ts";
import { REALM_ID } from "../realm/rules.ts";
import { type Visitor, translatorOf } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import type { Translator } from "../i18n/translations.ts";
import { button, firstButton, page } from "./page.ts";

/** Blocks all crawlers: the default, until the organization allows search engines. */
const ROBOTS = "User-agent: *\nDisallow: /\n";
/** Allows only the public pages, if the organization allows search engines. */
const ROBOTS_LET_IN =
  "User-agent: *\nAllow: /public/\nAllow: /static/\nAllow: /user_uploads/\nDisallow: /\n";

export const getRobots = openEndpoint({
  summary: "Get the rules for crawlers",
  tag: "Pages",
  params: {},
  run: ({ realm: { read } }) =>
    read.realm.has(REALM_ID) && read.settings.allow_search_engines
      ? robots(`${ROBOTS_LET_IN}Sitemap: ${read.config.url}/sitemap.xml\n`)
      : robots(ROBOTS),
  withoutRealm: () => robots(ROBOTS),
});

function robots(text: string): Response {
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": `public, max-age=${DAY_SECONDS}`,
  };
  return new Response(text, { headers });
}

const NOT_FOUND = 404;
const TOO_MANY = 429;
const SERVER_ERROR_STATUS = 500;
const SECONDS_IN_MINUTE = 60;

interface ErrorContext extends Visitor {
  /** The host of the server itself, where users select an organization. */
  readonly isRoot: boolean;
}

/** `lost`: the context without an organization. */
export function pageOfRefusal(refusal: Refusal, context: ErrorContext): Response {
  const { errCode, status } = refusal;
  const translator = translatorOf(context);
  const { translate } = translator;
  if (errCode === "NONEXISTENT_SUBDOMAIN" && !context.isRoot) {
    return page(
      context,
      translate("organization-unknown"),
      markup`<p>${translate("organization-unknown-means")}</p>`,
      status,
    );
  }
  if (status === NOT_FOUND) {
    const body = markup`<p>${translate("not-found-means")}</p>
${firstButton("/", homeOf(context, translator))}`;
    return page(context, translate("not-found"), body, status);
  }
  const [title, words] = errorTextOf(refusal, translator);
  return page(
    context,
    title,
    markup`${words}${nextStepAfter(refusal, context, translator)}`,
    status,
  );
}

/** The label of the link to the root. */
const homeOf = ({ isRoot }: ErrorContext, { translate }: Translator): string =>
  translate(isRoot ? "find-organization" : "open-skein");

/** Title and explanation of the error page. */
function errorTextOf(refusal: Refusal, translator: Translator): [title: string, words: Html] {
  const { errCode, status, extra } = refusal;
  const { translate, translateHtml } = translator;
  if (status === TOO_MANY) {
    const minutes = Math.ceil(Number(extra["retry-after"]) / SECONDS_IN_MINUTE);
    return [
      translate("too-many-requests"),
      markup`<p>${translate("too-many-requests-means", { minutes })}</p>`,
    ];
  }
  const text = translator.refusal(refusal);
  const words = markup`<p>${/[.!?]$/.test(text) ? text : `${text}.`}</p>`;
  if (status < SERVER_ERROR_STATUS) return [translate("request-rejected"), words];
  const id = extra["request_id"];
  const idHtml = id === undefined ? undefined : markup`<code>${String(id)}</code>`;
  const more = idHtml
    ? markup`<p>${translateHtml("error-log-hint", { id: idHtml })}</p>`
    : markup``;
  // For internal errors, the title says everything that the visitor may know.
  const details = errCode === "INTERNAL_SERVER_ERROR" ? markup`` : words;
  return [
    translate("went-wrong"),
    markup`${details}
${more}`,
  ];
}

/** Errors of the URL are permanent, while others can be retried. */
function nextStepAfter({ status }: Refusal, context: ErrorContext, translator: Translator): Html {
  const { request } = context;
  const isGet = request.method === "GET";
  const home = homeOf(context, translator);
  if (isGet && status < SERVER_ERROR_STATUS && status !== TOO_MANY) return firstButton("/", home);
  const { path, query } = partsOf(request.url);
  const again = isGet && query !== "" ? `${path}?${query}` : path;
  return markup`${firstButton(again, translator.translate("try-again"))}
${button("/", home)}`;
}
