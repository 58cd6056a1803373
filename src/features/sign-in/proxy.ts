// Sign-in by a header of a trusted proxy that has authenticated the user.
import { isIP } from "node:net";
import { proxyUserUnknown, signInMethodOff } from "../../contract/errors/people.ts";
import { type OpenContext, openEndpoint } from "../../endpoint.ts";
import { checkRedirect, redirectParams } from "../pages/login-redirect.ts";
import { checkNavigation } from "../pages/navigation.ts";
import { methodNamed, REMOTE_USER } from "../realm/methods-wire.ts";
import { isEmail } from "../rights/rules.ts";
import { logRefusal } from "../security-log/log.ts";
import { completeSignIn, signInErrorPage } from "./complete.ts";

export const signInByProxy = openEndpoint({
  summary: "Sign in as the user that the proxy names",
  tag: "Pages",
  params: redirectParams,
  run: async (context, loginRedirect) => {
    checkNavigation(context.request);
    checkRedirect(loginRedirect);
    try {
      if (!methodNamed(context.realm.read, REMOTE_USER)) throw signInMethodOff();
      const email = userNameFromProxy(context);
      if (email === undefined) {
        const details = { address: context.address, method: REMOTE_USER };
        logRefusal(context.realm, "a sign-in", details, proxyUserUnknown());
        throw proxyUserUnknown();
      }
      return await completeSignIn(context, { email, method: REMOTE_USER }, loginRedirect);
    } catch (error) {
      return signInErrorPage(context, loginRedirect, error);
    }
  },
});

/** Any client can send the header, so it is trusted only from the proxy's address. */
function userNameFromProxy({ realm, request, peer }: OpenContext): string | undefined {
  const proxy = realm.config.trusted_proxy;
  const family = isIP(peer);
  const isProxy = family !== 0 && proxy?.ranges.check(peer, family === 6 ? "ipv6" : "ipv4");
  if (!proxy || !isProxy) return undefined;
  const email = request.headers.get(proxy.header)?.trim() ?? "";
  return isEmail(email) ? email : undefined;
}
