// The current actor, set where requests, commands and jobs start and read by the audit log.
import { AsyncLocalStorage } from "node:async_hooks";

export interface Actor {
  readonly via: "browser" | "api" | "command" | "job" | "server";
  readonly user_id?: number | undefined;
  /** Origin of the action for the audit log: IP address, client, operating-system account. */
  readonly where: Readonly<Record<string, string>>;
}

const acting = new AsyncLocalStorage<Actor>();
const SERVER: Actor = { via: "server", where: {} };

/** Runs the work, including asynchronous continuations, as this actor. */
export function actAs<T>(actor: Actor, work: () => T): T {
  return acting.run(actor, work);
}

/** Returns the current actor; the server itself if none is set. */
export function actor(): Actor {
  return acting.getStore() ?? SERVER;
}
