// `static`: what is the same for everybody, so that nobody is asked who they are, or counted.
import { plugin } from "../asked.ts";
import { mount, type Mounting, type Place } from "../mount.ts";
import { find, type Shape } from "../routing.ts";
import { decode } from "./parameters.ts";

/** What anybody may load as often as they like: the client, pictures, what watches the server. */
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
