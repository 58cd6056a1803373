// Ways to a key that some clients know of and no server of this kind offers.
import { defaulted, bool, openEndpoint, optional, text } from "../../endpoint.ts";
import { developmentOnly, developmentSignInOff, jwtSignInOff } from "../../errors-people.ts";

/** By the word of another server, in a JSON web token. Here others vouch by OpenID Connect. */
export const fetchKeyByJwt = openEndpoint({
  params: { token: optional(text), include_profile: defaulted(bool, false) },
  run() {
    throw jwtSignInOff();
  },
});

/** Of anybody, without a password: for those who develop clients, on a server for nothing else. */
export const fetchKeyOfAnybody = openEndpoint({
  params: { username: optional(text) },
  run() {
    throw developmentSignInOff();
  },
});

export const listAnybody = openEndpoint({
  params: {},
  run() {
    throw developmentOnly();
  },
});
