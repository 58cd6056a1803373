// Preview of the text: rendered by the client at once, then by the server.
import { renderContext } from "../../store/render-context.ts";
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { renderText } from "../../api/message-calls.ts";
import { rendered } from "../../content/render-content.ts";
import { sync } from "../../sync/session.ts";
import { maybeState, getState } from "../../store/store.ts";
import { loadRenderer, renderer } from "../../render/loading.ts";
import { useBackHandler } from "../../ui/layers.ts";
import { t } from "../../words/words.ts";
import { contentContext } from "../conversation/reading-selectors.ts";

/** Delay after typing before the server is asked. */
const PAUSE_MS = 500;

interface PreviewProps {
  text: string;
  isShown: Signal<boolean>;
}

export function Preview({ text, isShown }: PreviewProps) {
  useBackHandler(() => (isShown.value = false));
  const node = useRef<HTMLDivElement>(null);
  /** The server's rendering, and the text that it belongs to. */
  const served = useSignal<{ text: string; html: string } | undefined>(undefined);
  loadRenderer();
  const html = served.value?.text === text ? served.value.html : local(text);
  useEffect(() => {
    if (text.trim() === "") return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      renderText(sync, { content: text }, { signal: stop.signal }).then(
        ({ rendered }) => (served.value = { text, html: rendered }),
        // Shows the client's rendering if the server does not respond.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  useLayoutEffect(() => {
    node.current?.replaceChildren(rendered(html, { ...contentContext, me: contentContext.me }));
  }, [html]);
  return (
    <div class="compose-preview" role="region" aria-label={t("preview")} tabIndex={0}>
      {text.trim() === "" && <p class="hint">{t("nothing-to-preview")}</p>}
      <div class="md" dir="auto" ref={node} />
    </div>
  );
}

function local(text: string): string {
  const loaded = renderer.value;
  if (!loaded || !maybeState() || text.trim() === "") return "";
  try {
    return loaded.renderLocally(text, renderContext(getState())).html;
  } catch {
    return "";
  }
}
