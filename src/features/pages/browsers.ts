// What browsers and crawlers ask for by themselves, and what people see at addresses that are none.
import type { Refusal } from "../../contract/errors/general.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint } from "../../endpoint.ts";
import { REALM_ID } from "../realm/rules.ts";
import { type Looking, speechOf } from "../speech/choose.ts";
import { markup } from "../speech/markup.ts";
import { firstButton, page } from "./page.ts";

/** Conversations are for who is invited to them: no search engine has a use here. */
const ROBOTS = "User-agent: *\nDisallow: /\n";
/** But for the public pages, where the organization lets search engines in. */
const ROBOTS_LET_IN =
  "User-agent: *\nAllow: /public/\nAllow: /static/\nAllow: /user_uploads/\nDisallow: /\n";

export const getRobots = openEndpoint({
  summary: "What crawlers may read",
  tag: "Pages",
  params: {},
  run: ({ realm: { read } }) =>
    read.realm.has(REALM_ID) && read.settings.allow_search_engines
      ? robots(`${ROBOTS_LET_IN}Sitemap: ${read.config.url}/sitemap.xml\n`)
      : robots(ROBOTS),
  withoutRealm: () => robots(ROBOTS),
});

function robots(said: string): Response {
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": `public, max-age=${DAY_SECONDS}`,
  };
  return new Response(said, { headers });
}

/** `looking`: without the organization, where there is none. */
export function pageOfRefusal({ errCode, status }: Refusal, looking: Looking): Response {
  const { say } = speechOf(looking);
  if (errCode === "NONEXISTENT_SUBDOMAIN") {
    return page(looking, say("nobody-here"), markup`<p>${say("nobody-here-means")}</p>`, status);
  }
  const body = markup`<p>${say("not-found-means")}</p>
${firstButton("/", say("to-conversations"))}`;
  return page(looking, say("not-found"), body, status);
}
