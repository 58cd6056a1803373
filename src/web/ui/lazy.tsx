// A part of the page whose script is fetched when it is first shown.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { dress } from "../dressed.ts";
import { isAnswering, loadAnew } from "../scripts.ts";
import { whenShown } from "../shown.ts";
import { learn, say } from "../words/words.ts";
import { Boundary } from "../failures/boundary.tsx";
import { Button } from "./button.tsx";

export interface Lazy<P> {
  (props: P): preact.JSX.Element | null;
  /** Before it is shown, so that nobody waits. */
  load(): Promise<void>;
}

/** The first view is there without it. */
export const later = <P extends object>(find: () => Promise<ComponentType<P>>): Lazy<P> =>
  lazy(() => whenShown.then(find));

export function lazy<P extends object>(find: () => Promise<ComponentType<P>>): Lazy<P> {
  const found = signal<ComponentType<P> | undefined>(undefined);
  const isFailed = signal(false);
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> =>
    // Loaded with its texts and styles, so that nothing appears without them.
    (loading ??= Promise.all([find(), learn(), dress()]).then(
      ([component]) => {
        found.value = component;
      },
      () => {
        loading = undefined;
        isFailed.value = true;
      },
    ));
  const again = async () => {
    isFailed.value = false;
    await load();
    // Browsers remember a failed import, so the page reloads.
    if (isFailed.value && (await isAnswering())) loadAnew();
  };
  function Shown(props: P) {
    useEffect(() => void load(), []);
    const Part = found.value;
    if (Part)
      return (
        <Boundary>
          <Part {...props} />
        </Boundary>
      );
    if (!isFailed.value) return null;
    return (
      <p class="feed-note" role="alert">
        {say("load-failed")} <Button onClick={() => void again()}>{say("try-now")}</Button>
      </p>
    );
  }
  return Object.assign(Shown, { load });
}
