// Counts the results of outbound requests by purpose.

/** `kind`: mail, push, ntfy or web; `result`: ok or failed. */
const counts = new Map<string, number>();

export function recordOutcome(kind: "mail" | "push" | "web", result: "ok" | "failed"): void {
  const key = `${kind} ${result}`;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export function outcomes(): { kind: string; result: string; count: number }[] {
  return [...counts].map(([key, count]) => {
    const [kind, result] = key.split(" ") as [string, string];
    return { kind, result, count };
  });
}
