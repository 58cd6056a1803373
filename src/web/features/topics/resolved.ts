// Topics that are resolved bear it in their name, which the server and all clients read.
import { RESOLVED_PREFIX } from "../../../features/messages/rules.ts";

export const isResolved = (topic: string): boolean => topic.startsWith(RESOLVED_PREFIX);

/** Also without marks that were put there more than once. */
export const unresolved = (topic: string): string => topic.replace(/^(✔ )+/u, "");

export const resolved = (topic: string): string => RESOLVED_PREFIX + unresolved(topic);
