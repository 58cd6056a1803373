// `static`: responds to requests that are the same for everyone, without authentication or rate
// limits.
import { plugin } from "../asked.ts";
import { mount, type Mounting, type Place } from "../mount.ts";
import { find, type Shape } from "../routing.ts";
import { decode } from "./parameters.ts";

/** Resources that anyone can load without limit: the client, images, health probes. */
export const isStatic = ({ mounted, isFree }: Shape) =>
  isFree && mounted.every(({ route: { gate } }) => gate.open && !gate.strict);

export const staticFiles = (places: readonly Place[] | undefined, { begin, answer }: Mounting) =>
  mount(plugin("static"), places, {
    begin,
    answer(asked) {
      asked.found ??= find(asked.shape!, asked.method, asked.path);
      decode(asked);
      answer(asked);
    },
  });
