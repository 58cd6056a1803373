// What browsers and crawlers ask for by themselves, and what people see at addresses that are none.
import type { Refusal } from "../../contract/errors/general.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint } from "../../endpoint.ts";
import { REALM_ID } from "../realm/rules.ts";
import { markup, page } from "./page.ts";

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

export function pageOfRefusal({ errCode, status }: Refusal): Response {
  if (errCode === "NONEXISTENT_SUBDOMAIN") {
    const body = markup`<p>There is no organization at this address. Look whether it is written
as you were told.</p>`;
    return page("Nobody is here", body, status);
  }
  const body = markup`<p>There is nothing at this address, or it is not for you to see.</p>
<p><a href="/">Go to the conversations</a></p>`;
  return page("Not found", body, status);
}
