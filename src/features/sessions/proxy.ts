// Signing in by the word of a proxy that stands before the server and has asked already.
import { isIP } from "node:net";
import { type OpenContext, openEndpoint } from "../../endpoint.ts";
import { proxyNamesNobody, signInMethodOff } from "../../errors-people.ts";
import { isEmail } from "../users/rules.ts";
import { completeSignIn, refusedPage } from "./complete.ts";
import { checkGoing, goingParams } from "./going.ts";
import { methodNamed, REMOTE_USER } from "./methods.ts";

export const signInByProxy = openEndpoint({
  params: goingParams,
  run: async (context, going) => {
    checkGoing(going);
    try {
      if (!methodNamed(context.realm.read, REMOTE_USER)) throw signInMethodOff();
      const email = namedByProxy(context);
      if (email === undefined) throw proxyNamesNobody();
      return await completeSignIn(context, { email, method: REMOTE_USER }, going);
    } catch (error) {
      return refusedPage(context, going, error);
    }
  },
});

/** Anybody may send the header: it counts from the proxy alone, by the end of the connection. */
function namedByProxy({ realm, request, peer }: OpenContext): string | undefined {
  const proxy = realm.config.trusted_proxy;
  const family = isIP(peer);
  const isProxy = family !== 0 && proxy?.ranges.check(peer, family === 6 ? "ipv6" : "ipv4");
  if (!proxy || !isProxy) return undefined;
  const email = request.headers.get(proxy.header)?.trim() ?? "";
  return isEmail(email) ? email : undefined;
}
