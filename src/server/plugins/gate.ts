// `gate`: lets nobody pass who may not, before anything that a request asks for is looked at.
import {
  loginFirst,
  missingParameter,
  notLoggedIn,
  Refusal,
} from "../../contract/errors/general.ts";
import { noSession } from "../../contract/errors/people.ts";
import { type Asked, plugin } from "../asked.ts";
import { checkCsrf, CSRF_FIELD } from "../asker/session.ts";
import { prefersHtml } from "../context.ts";
import type { Gate, OpenGate } from "../gate.ts";
import { isInSession, type Shape } from "../routing.ts";
import { KEY_PARAMETER } from "./session.ts";

/** Refuses who may not pass. Where anybody may, who is not let in by what they show is nobody. */
export function admit(asked: Asked, shape: Shape, gate: Gate | OpenGate): void {
  const refusal = refusalOf(asked, shape, gate);
  if (refusal !== undefined) throw refusal;
  const { caller } = asked;
  if (caller === undefined) return;
  const fault = caller.session && csrfFaultOf(asked);
  if (fault === undefined) return gate.check?.(caller.user);
  if (!isLenient(gate)) throw fault;
  asked.caller = undefined;
}

/** Of who is not known, at a gate that asks for it. */
export function refusalOf(
  { caller, refusal, request, path }: Asked,
  shape: Shape,
  gate: Gate | OpenGate,
): Refusal | undefined {
  if (caller !== undefined || isLenient(gate)) return undefined;
  if (refusal !== undefined || gate.open) return refusal;
  if (gate.byAddress) return missingParameter(KEY_PARAMETER);
  if (!shape.isApi && prefersHtml(request)) return loginFirst(path);
  return isInSession(shape) ? noSession() : notLoggedIn();
}

/** Wrong credentials count as none. */
const isLenient = (gate: Gate | OpenGate) => gate.open && !gate.strict;

/** What a page of another site may have made the browser send. */
function csrfFaultOf({ realm, request, form }: Asked): Refusal | undefined {
  try {
    checkCsrf(realm!, request, form.get(CSRF_FIELD));
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** For routes that say so, once the form is read: it may have the proof of who sent it. */
export const gate = () =>
  plugin("gate").macro({
    gate: {
      beforeHandle({ asked }) {
        admit(asked, asked.shape!, asked.found!.mounted.route.gate);
      },
    },
  });
