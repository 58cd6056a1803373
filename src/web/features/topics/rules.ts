// Resolved topics have a prefix in their name, which the server and all clients recognize.
import { RESOLVED_PREFIX } from "../../../features/messages/rules.ts";

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED_PREFIX);

/** Removes the prefix even if it is repeated. */
export const unresolved = (topic: string): string => topic.replace(/^(✔ )+/u, "");

export const resolved = (topic: string): string => RESOLVED_PREFIX + unresolved(topic);
