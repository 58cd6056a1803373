// Limits how long a caller waits.

/**
 * Returns the result of `work`, or of `onTimeout` if the work takes longer than `most_ms`. The work
 * itself continues. `onTimeout` may throw.
 */
export function withTimeout<T, L>(
  work: Promise<T>,
  most_ms: number,
  onTimeout: () => L,
): Promise<T | L> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(Promise.resolve().then(onTimeout)), most_ms);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}
