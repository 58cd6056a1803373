// Ways to a key that some clients know of and no server of this kind offers.
import {
  developmentOnly,
  developmentSignInOff,
  jwtSignInOff,
} from "../../contract/errors/people.ts";
import { defaulted, bool, openEndpoint, optional, text } from "../../endpoint.ts";

/** By the word of another server, in a JSON web token. Here others vouch by OpenID Connect. */
export const fetchKeyByJwt = openEndpoint({
  summary: "Sign in with a JSON web token. Not available on this server",
  tag: "Signing in",
  params: { token: optional(text), include_profile: defaulted(bool, false) },
  run() {
    throw jwtSignInOff();
  },
});

/** Of anybody, without a password: for those who develop clients, on a server for nothing else. */
export const fetchKeyOfAnybody = openEndpoint({
  summary: "Sign in without a password. Not available on this server",
  tag: "Signing in",
  params: { username: optional(text) },
  run() {
    throw developmentSignInOff();
  },
});

export const listAnybody = openEndpoint({
  summary: "List accounts to sign in as. Not available on this server",
  tag: "Signing in",
  params: {},
  run() {
    throw developmentOnly();
  },
});
