// Loads what a page shows, and loads it again while the server works on it.
import { useEffect, useRef } from "preact/hooks";
import { ApiError } from "../../contract/api-error.ts";
import { errorText } from "../form/save-errors.ts";
import { showToast } from "../toast.tsx";

const TOO_MANY = 429;
const SERVER_FAULT = 500;

/**
 * Calls `load` at once, and again `ms` after each response while `isPending` or until it succeeds.
 * If the server does not respond, it is asked again without a notice. If it rejects the request,
 * the error is shown and the polling ends.
 */
export function usePolling(load: () => Promise<unknown>, isPending: boolean, ms: number): void {
  const isLoaded = useRef(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let remains = false;
    const run = async () => {
      try {
        await load();
        isLoaded.current = true;
      } catch (error) {
        if (remains) return;
        if (isFinal(error)) return void showToast({ text: errorText(error), isAlert: true });
      }
      if (!remains && (isPending || !isLoaded.current)) timer = setTimeout(() => void run(), ms);
    };
    if (!isLoaded.current) void run();
    else if (isPending) timer = setTimeout(() => void run(), ms);
    return () => {
      remains = true;
      clearTimeout(timer);
    };
  }, [isPending]);
}

const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status < SERVER_FAULT && error.status !== TOO_MANY;
