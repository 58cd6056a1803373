// What browsers and crawlers ask for by themselves, and what people see at addresses that are none.
import type { Refusal } from "../../contract/errors/general.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint } from "../../endpoint.ts";
import { markup, page } from "./page.ts";

/** Conversations are for who is invited to them: no search engine has a use here. */
const ROBOTS = "User-agent: *\nDisallow: /\n";

export const getRobots = openEndpoint({
  summary: "What crawlers may read",
  tag: "Pages",
  params: {},
  run: robots,
  withoutRealm: robots,
});

function robots(): Response {
  const headers = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": `public, max-age=${DAY_SECONDS}`,
  };
  return new Response(ROBOTS, { headers });
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
