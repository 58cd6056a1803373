// Whether a component has been removed when a response to its request arrives.
import { useLayoutEffect, useRef } from "preact/hooks";

export function useIsRemoved(): { readonly current: boolean } {
  const isRemoved = useRef(false);
  // A layout effect, because other effects are cleaned up only after the next frame.
  useLayoutEffect(() => () => void (isRemoved.current = true), []);
  return isRemoved;
}
