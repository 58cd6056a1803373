// `static`: responds to requests that are the same for everyone, without authentication or rate
// limits.
import { type RequestState, plugin } from "../request-state.ts";
import type { RoutePattern } from "../routing.ts";
import { decode } from "./parameters.ts";

/** Resources that anyone can load without limit: the client, images, health probes. */
const isStatic = ({ mounted, isFree }: RoutePattern) =>
  isFree && mounted.every(({ route: { gate } }) => gate.open && !gate.strict);

/** `answer` sets the response in `earlyResponse`. */
export const staticFiles = (answer: (requestState: RequestState) => void) =>
  plugin("static").onBeforeHandle({ as: "global" }, function ({ requestState }) {
    if (requestState.isGetOrHead && isStatic(requestState.pattern!)) {
      decode(requestState);
      answer(requestState);
    }
    const { earlyResponse: sent } = requestState;
    return sent;
  });
