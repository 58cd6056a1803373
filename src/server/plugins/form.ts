// `form`: reads the body after the sender is authenticated, and determines the method.
import { type RequestState, plugin } from "../request-state.ts";
import { noteConnection } from "../body/short-body.ts";
import { parametersInForm, isShort } from "../parameters/parameters.ts";
import { find, type Mounted, type RoutePattern } from "../routing.ts";
import { refusalOf } from "./gate.ts";

/** A POST parameter may name another method. */
export async function readForm(requestState: RequestState, pattern: RoutePattern): Promise<void> {
  const { request, method, peers, path } = requestState;
  // Watches the body while it arrives.
  if (peers) {
    if (isShort(request)) noteConnection(request, peers);
    else peers.timeout(request, 0);
  }
  if (pattern.mounted.some(({ route }) => route.endpoint.body === "files")) requestState.files = [];
  const isMethod = ({ route }: Mounted) => route.method === method;
  const isRaw = pattern.mounted.find(isMethod)?.route.endpoint.body === "raw";
  if (method !== "POST" || isRaw) {
    requestState.routeMatch = find(pattern, method, path);
    if (!isRaw) requestState.form = await formOf(requestState, pattern);
    return;
  }
  const form = await formOf(requestState, pattern);
  const effectiveMethod = form.get("method")?.toUpperCase() ?? method;
  form.delete("method");
  requestState.form = form;
  requestState.routeMatch = find(pattern, effectiveMethod, path);
}

/** Errors about the content are reported only after access is granted. */
async function formOf(requestState: RequestState, pattern: RoutePattern) {
  const { request, method, files, caller } = requestState;
  try {
    return await parametersInForm(request, { isAnonymous: caller === undefined, files });
  } catch (error) {
    const mounted = pattern.mounted.find(({ route }) => route.method === method);
    throw (mounted && refusalOf(requestState, pattern, mounted.route.gate)) ?? error;
  }
}

/** `onRead`: called when the body has arrived. */
export const form = (onRead: (requestState: RequestState) => void) =>
  plugin("form").onBeforeHandle({ as: "global" }, async ({ requestState }) => {
    // GET and HEAD requests have no form.
    if (requestState.isGetOrHead) return;
    await readForm(requestState, requestState.pattern!);
    onRead(requestState);
  });
