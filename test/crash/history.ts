// Records what clients did while the server crashed, and what was acknowledged.
import type { Person } from "./server.ts";

export type Recipient = { stream_id: number } | { people: Person[] };

export interface Send {
  sender: Person;
  local_id: string;
  content: string;
  recipient: Recipient;
  /** ID of the message, once the send was acknowledged. */
  id: number | undefined;
}

export interface History {
  readonly sends: Send[];
  /** Last acknowledged flags, by user, message and flag. */
  readonly flags: Map<string, { person: Person; id: number; flag: string; isOn: boolean }>;
  /** Last acknowledged subscription to the commuting channel, by user. */
  readonly commuting: Map<Person, boolean>;
  /** Number of requests that had to be sent again. */
  losses: number;
  readonly faults: string[];
  isOver: boolean;
}

export function newHistory(): History {
  const [sends, flags, commuting, faults] = [[], new Map(), new Map(), []];
  return { sends, flags, commuting, losses: 0, faults, isOver: false };
}
