// `gate`: checks access before anything that the request contains is processed.
import {
  signInRequired,
  missingParameter,
  notLoggedIn,
  Refusal,
} from "../../contract/errors/general.ts";
import { noSession } from "../../contract/errors/people.ts";
import { type RequestState, plugin } from "../request-state.ts";
import { checkCsrf, CSRF_FIELD } from "../caller/session.ts";
import { prefersHtml } from "../context.ts";
import type { Gate, OpenGate } from "../gate.ts";
import { isInSession, type RoutePattern } from "../routing.ts";
import { KEY_PARAMETER } from "./session.ts";

/** Throws if the caller has no access. Where access is open, invalid credentials count as none. */
export function admit(
  requestState: RequestState,
  pattern: RoutePattern,
  gate: Gate | OpenGate,
): void {
  const refusal = refusalOf(requestState, pattern, gate);
  if (refusal !== undefined) throw refusal;
  const { caller } = requestState;
  if (caller === undefined) return;
  const fault = caller.session && csrfFaultOf(requestState);
  if (fault === undefined) return gate.check?.(caller.user);
  if (!isLenient(gate)) throw fault;
  requestState.caller = undefined;
}

/** Returns the error for a request without a known user. */
export function refusalOf(
  { caller, refusal, request, path }: RequestState,
  pattern: RoutePattern,
  gate: Gate | OpenGate,
): Refusal | undefined {
  if (caller !== undefined || isLenient(gate)) return undefined;
  if (refusal !== undefined || gate.open) return refusal;
  if (gate.byAddress) return missingParameter(KEY_PARAMETER);
  if (!pattern.isApi && prefersHtml(request)) return signInRequired(path);
  return isInSession(pattern) ? noSession() : notLoggedIn();
}

/** Invalid credentials count as none. */
const isLenient = (gate: Gate | OpenGate) => gate.open && !gate.strict;

/** Returns an error if a page of another site may have caused the request. */
function csrfFaultOf({ realm, request, form }: RequestState): Refusal | undefined {
  try {
    checkCsrf(realm!, request, form.get(CSRF_FIELD));
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Runs after the form is read, because the form may contain the CSRF token. */
export const gate = () =>
  plugin("gate").macro({
    gate: {
      beforeHandle({ requestState }) {
        admit(requestState, requestState.pattern!, requestState.routeMatch!.mounted.route.gate);
      },
    },
  });
