// Who acts now: known where requests, commands and jobs begin, asked where acts are written down.
import { AsyncLocalStorage } from "node:async_hooks";

export interface Actor {
  readonly via: "browser" | "api" | "command" | "job" | "server";
  readonly user_id?: number | undefined;
  /** What is told of where it came from: an address, a program, an account of the machine. */
  readonly where: Readonly<Record<string, string>>;
}

const acting = new AsyncLocalStorage<Actor>();
const SERVER: Actor = { via: "server", where: {} };

/** Runs the work, and all that it leads to, as somebody. */
export function actAs<T>(actor: Actor, work: () => T): T {
  return acting.run(actor, work);
}

/** Where nobody has said who acts, it is the server itself. */
export function actor(): Actor {
  return acting.getStore() ?? SERVER;
}
