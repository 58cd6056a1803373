// Requests what a component displays, and cancels the request when that changes.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/**
 * Returns the response for this key, or undefined until it arrives and if the request fails.
 * Requests nothing if `key` is undefined. Repeats the request after a change of `revision`; the
 * previous response stays until the next one arrives.
 */
export function useRequest<T>(
  key: string | number | undefined,
  request: (signal: AbortSignal) => Promise<T>,
  revision = 0,
): T | undefined {
  const latest = useSignal<{ key: string | number; response: T | undefined } | undefined>(
    undefined,
  );
  useEffect(() => {
    if (key === undefined) return undefined;
    const stop = new AbortController();
    const show = (response: T | undefined) => {
      if (!stop.signal.aborted) latest.value = { key, response };
    };
    request(stop.signal).then(show, () => show(undefined));
    return () => stop.abort();
  }, [key, revision]);
  const { value } = latest;
  return value && value.key === key ? value.response : undefined;
}
