// Where people say which of the organizations of this server they mean, and go there to sign in.
import { defaulted, type HostContext, openEndpoint, text, type ValuesOf } from "../../endpoint.ts";
import { organizationUnknown } from "../../errors-realm.ts";
import { hostUnknown } from "../../errors.ts";
import type { Realm } from "../../realm.ts";
import { hostName } from "../../server/hosts.ts";
import { redirect } from "../sessions/complete.ts";
import { goingFields } from "../sessions/form.ts";
import { checkGoing, type Going, goingParams, queryOf } from "../sessions/going.ts";
import { markup, page } from "./page.ts";

const namedParams = { ...goingParams, subdomain: defaulted(text, "") };

/** At an organization's own host there is nothing to ask. */
export const go = openEndpoint({
  params: goingParams,
  run: (_, going) => {
    checkGoing(going);
    return redirect(`/login/${queryOf(going)}`, []);
  },
  withoutRealm(context, going) {
    checkRoot(context);
    checkGoing(going);
    return askPage(going);
  },
});

export const goTo = openEndpoint({ params: namedParams, run: toNamed, withoutRealm: atRoot });

function atRoot(context: HostContext, given: ValuesOf<typeof namedParams>): Response {
  checkRoot(context);
  return toNamed(context, given);
}

function toNamed(
  { hosts }: Pick<HostContext, "hosts">,
  { subdomain, ...going }: ValuesOf<typeof namedParams>,
): Response {
  checkGoing(going);
  const realm = hosts.realms.find((one) => isMeant(one, subdomain.trim()));
  if (!realm) return askPage(going, subdomain.trim());
  return redirect(`${realm.config.url}/login/${queryOf(going)}`, []);
}

/** By its address, by what stands before the server's own host in that, or by what it is called. */
function isMeant({ config, read }: Realm, given: string): boolean {
  const wanted = given.toLowerCase();
  if (wanted === "") return false;
  if (wanted === config.subdomain) return true;
  if (read.realm.has(1) && wanted === read.settings.name.toLowerCase()) return true;
  const host = URL.parse(given)?.host || given.replace(/[/?#].*$/, "");
  return hostName(host) !== "" && hostName(host) === hostName(new URL(config.url).host);
}

/** Only at the host of the server itself. */
export function checkRoot({ hosts, host }: HostContext): void {
  if (!hosts.isRoot(host)) throw hostUnknown();
}

/** The form leads to another host, whichever that is. */
const ANYWHERE = { schemes: ["http:", "https:"], hasForms: true };

function askPage(going: Going, unknown?: string): Response {
  const refusal = unknown === undefined ? undefined : organizationUnknown();
  const trouble = refusal
    ? markup`<p class="refusal" role="alert">${refusal.message}</p>`
    : markup``;
  const body = markup`${trouble}<form method="post" action="/accounts/go/">
${goingFields(going)}
<label for="subdomain">Its name or address</label>
<input id="subdomain" name="subdomain" required autocapitalize="none" value="${unknown ?? ""}">
<button type="submit">Go there</button>
</form>
<p>You do not know it? <a href="/accounts/find/">Have it mailed to you</a>.</p>`;
  return page("Which organization?", body, refusal?.status, ANYWHERE);
}
