// Components whose script is loaded when they are first displayed.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { loadStyles } from "./lazy-styles.ts";
import { isAnswering, reloadPage } from "../../scripts.ts";
import { whenShown } from "./scheduling.ts";
import { loadTexts, t } from "../../words/words.ts";
import { Boundary } from "./boundary.tsx";
import { Button } from "../button.tsx";

interface Lazy<P> {
  (props: P): preact.JSX.Element | null;
  /** Loads it in advance. */
  load(): Promise<void>;
}

/** For components that the first view does not need. */
export const lazyAfterFirstView = <P extends object>(
  find: () => Promise<ComponentType<P>>,
  Blank?: (props: P) => preact.JSX.Element,
): Lazy<P> => lazy(() => whenShown.then(find), Blank);

/** `Blank` is shown until the script has loaded. */
export function lazy<P extends object>(
  find: () => Promise<ComponentType<P>>,
  Blank?: (props: P) => preact.JSX.Element,
): Lazy<P> {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  const isFailed = signal(false);
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> =>
    // Loaded with its texts and styles, so that nothing appears without them.
    (loading ??= Promise.all([find(), loadTexts(), loadStyles()]).then(
      ([component]) => {
        loaded.value = component;
      },
      () => {
        loading = undefined;
        isFailed.value = true;
      },
    ));
  const retry = async () => {
    isFailed.value = false;
    await load();
    // Browsers remember a failed import, so the page reloads.
    if (isFailed.value && (await isAnswering())) reloadPage();
  };
  function LazyPart(props: P) {
    useEffect(() => void load(), []);
    const Part = loaded.value;
    if (Part)
      return (
        <Boundary>
          <Part {...props} />
        </Boundary>
      );
    if (!isFailed.value) return Blank ? <Blank {...props} /> : null;
    return (
      <p class="feed-note" role="alert">
        {t("load-failed")} <Button onClick={() => void retry()}>{t("try-now")}</Button>
      </p>
    );
  }
  return Object.assign(LazyPart, { load });
}
