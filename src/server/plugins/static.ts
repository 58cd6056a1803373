// `static`: responds to requests that are the same for everyone, without authentication or rate
// limits.
import { plugin } from "../request-state.ts";
import { mount, type Mounting, type MountPoint } from "../mount.ts";
import { find, type RoutePattern } from "../routing.ts";
import { decode } from "./parameters.ts";

/** Resources that anyone can load without limit: the client, images, health probes. */
export const isStatic = ({ mounted, isFree }: RoutePattern) =>
  isFree && mounted.every(({ route: { gate } }) => gate.open && !gate.strict);

export const staticFiles = (
  mountPoints: readonly MountPoint[] | undefined,
  { begin, answer: response }: Mounting,
) =>
  mount(plugin("static"), mountPoints, {
    begin,
    answer(requestState) {
      requestState.routeMatch ??= find(
        requestState.pattern!,
        requestState.method,
        requestState.path,
      );
      decode(requestState);
      response(requestState);
    },
  });
