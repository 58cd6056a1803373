// Users choose an organization of this server and go to its sign-in page.
import { hostUnknown } from "../../contract/errors/general.ts";
import { organizationUnknown } from "../../contract/errors/realm.ts";
import { defaulted, type HostContext, openEndpoint, text, type ValuesOf } from "../../endpoint.ts";
import type { Realm } from "../../realm.ts";
import { hostName } from "../../server/hosts.ts";
import { redirectFields } from "../pages/form.ts";
import {
  checkRedirect,
  type LoginRedirect,
  queryOf,
  redirect,
  redirectParams,
} from "../pages/login-redirect.ts";
import { link, page } from "../pages/page.ts";
import { withError } from "../pages/form-errors.ts";
import { translatorOf } from "../i18n/negotiate-language.ts";
import { markup } from "../i18n/markup.ts";

const namedParams = { ...redirectParams, subdomain: defaulted(text, "") };

/** At an organization's own host there is nothing to choose. */
export const chooseOrganization = openEndpoint({
  summary: "Show the form that asks for an organization",
  tag: "Pages",
  params: redirectParams,
  run: (_, loginRedirect) => {
    checkRedirect(loginRedirect);
    return redirect(`/login/${queryOf(loginRedirect)}`, []);
  },
  withoutRealm(context, loginRedirect) {
    checkRoot(context);
    checkRedirect(loginRedirect);
    return choicePage(context, loginRedirect);
  },
});

export const goToOrganization = openEndpoint({
  summary: "Open an organization",
  tag: "Pages",
  params: namedParams,
  run: redirectToNamed,
  withoutRealm: choosePage,
});

function choosePage(context: HostContext, input: ValuesOf<typeof namedParams>): Response {
  checkRoot(context);
  return redirectToNamed(context, input);
}

function redirectToNamed(
  context: Pick<HostContext, "hosts" | "request">,
  { subdomain, ...loginRedirect }: ValuesOf<typeof namedParams>,
): Response {
  checkRedirect(loginRedirect);
  const realm = findRealm(context.hosts.realms, subdomain.trim());
  if (!realm) return choicePage(context, loginRedirect, subdomain.trim());
  return redirect(`${realm.config.url}/login/${queryOf(loginRedirect)}`, []);
}

/** Longer than any host name. */
const ADDRESS_LENGTH_MAX = 300;

/**
 * Finds the organization by its address, then by its subdomain, and last by its name if no other
 * has it, since organizations may choose names that look like addresses of others.
 */
function findRealm(realms: readonly Realm[], value: string): Realm | undefined {
  const subdomain = value.toLowerCase();
  if (subdomain === "" || subdomain.length > ADDRESS_LENGTH_MAX) return undefined;
  const host = hostName(URL.parse(value)?.host || value.split(/[/?#]/, 1)[0]!);
  const hasHost = ({ config }: Realm) => host !== "" && host === hostName(new URL(config.url).host);
  const hasName = ({ read }: Realm) =>
    read.realm.has(1) && read.settings.name.toLowerCase() === subdomain;
  const addressed =
    realms.find(hasHost) ?? realms.find(({ config }) => subdomain === config.subdomain);
  if (addressed) return addressed;
  const namedRealms = realms.filter(hasName);
  return namedRealms.length === 1 ? namedRealms[0] : undefined;
}

/** Available only at the host of the server itself. */
export function checkRoot({ hosts, host }: HostContext): void {
  if (!hosts.isRoot(host)) throw hostUnknown();
}

/** The form may redirect to any host, because each organization has its own. */
const ANY_HOST = { schemes: ["http:", "https:"], hasForms: true };

function choicePage(
  { request }: Pick<HostContext, "request">,
  loginRedirect: LoginRedirect,
  unknown?: string,
): Response {
  const translator = translatorOf({ request });
  const { translate, translateHtml } = translator;
  const refusal = unknown === undefined ? undefined : organizationUnknown();
  const find = link("/accounts/find/", translate("get-by-email"));
  const body = markup`<form method="post" action="/accounts/go/">
${redirectFields(loginRedirect)}
<label for="subdomain">${translate("organization-name-or-url")}</label>
<input id="subdomain" name="subdomain" required autocapitalize="none" value="${unknown ?? ""}"
  autofocus>
<button type="submit">${translate("go-there")}</button>
</form>
<p class="foot">${translateHtml("organization-forgotten", { find })}</p>`;
  return page(
    { request },
    translate("which-organization"),
    withError(translator, refusal, body),
    refusal?.status,
    ANY_HOST,
  );
}
