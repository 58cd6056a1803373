// A topic is resolved by its name: what that makes of a change of the name.
import { EMPTY_TOPIC_NAME, RESOLVED_PREFIX } from "./rules.ts";

export const isResolved = (name: string) => name.startsWith(RESOLVED_PREFIX);

/**
 * Does the change resolve the topic, or take that back, and nothing else? `after` may be cut, and
 * spelled as other messages of the topic.
 */
export function isResolve(from: string, to: string): boolean {
  const [before, after] = [from.toLowerCase(), to.toLowerCase()];
  if (isResolved(before)) return before.slice(RESOLVED_PREFIX.length) === after;
  if (!isResolved(after)) return false;
  const name = after.slice(RESOLVED_PREFIX.length);
  if (name === before) return true;
  return name.endsWith(CUT) && before.startsWith(name.slice(0, -CUT.length)) && isLong(before);
}

const CUT = "...";
/** The longest name that has room for the prefix. */
const PREFIXED_LENGTH_MAX = 58;
const isLong = (name: string) => [...name].length > PREFIXED_LENGTH_MAX;

/** The topic without a name cannot be resolved: there is nothing to put the sign before. */
export function isResolvedEmpty(given: string): boolean {
  return [RESOLVED_PREFIX.trim(), RESOLVED_PREFIX + EMPTY_TOPIC_NAME].includes(given.trim());
}
