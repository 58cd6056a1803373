// Sign-in endpoints that some clients know but this server does not support.
import {
  developmentOnly,
  developmentSignInOff,
  jwtSignInOff,
} from "../../contract/errors/people.ts";
import { defaulted, bool, openEndpoint, optional, text } from "../../endpoint.ts";

/** Sign-in with a JSON Web Token. Not supported, since OpenID Connect serves this purpose. */
export const fetchKeyByJwt = openEndpoint({
  summary: "Sign in with a JSON web token. Not available on this server",
  tag: "Signing in",
  params: { token: optional(text), include_profile: defaulted(bool, false) },
  run() {
    throw jwtSignInOff();
  },
});

/** Sign-in without a password, for development servers. Not supported. */
export const fetchDevelopmentKey = openEndpoint({
  summary: "Sign in without a password. Not available on this server",
  tag: "Signing in",
  params: { username: optional(text) },
  run() {
    throw developmentSignInOff();
  },
});

export const listDevelopmentUsers = openEndpoint({
  summary: "List accounts to sign in as. Not available on this server",
  tag: "Signing in",
  params: {},
  run() {
    throw developmentOnly();
  },
});
