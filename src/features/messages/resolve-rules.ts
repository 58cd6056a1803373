// Resolving a topic adds a prefix to its name; these rules interpret name changes.
import { EMPTY_TOPIC_NAME, RESOLVED_PREFIX } from "./rules.ts";

export const isResolved = (name: string) => name.startsWith(RESOLVED_PREFIX);

/**
 * Whether the change only resolves or unresolves the topic. `after` may be truncated and spelled
 * differently.
 */
export function isResolve(from: string, to: string): boolean {
  const [before, after] = [from.toLowerCase(), to.toLowerCase()];
  if (isResolved(before)) return before.slice(RESOLVED_PREFIX.length) === after;
  if (!isResolved(after)) return false;
  const name = after.slice(RESOLVED_PREFIX.length);
  if (name === before) return true;
  return (
    name.endsWith(TRUNCATION_MARK) &&
    before.startsWith(name.slice(0, -TRUNCATION_MARK.length)) &&
    isLong(before)
  );
}

const TRUNCATION_MARK = "...";
/** Longest name that leaves room for the prefix. */
const PREFIXED_LENGTH_MAX = 58;
const isLong = (name: string) => [...name].length > PREFIXED_LENGTH_MAX;

/** The empty topic cannot be resolved. */
export function isResolvedEmpty(value: string): boolean {
  return [RESOLVED_PREFIX.trim(), RESOLVED_PREFIX + EMPTY_TOPIC_NAME].includes(value.trim());
}
