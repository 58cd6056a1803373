// Preview of the text: rendered by the client at once, then by the server.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { renderText } from "../../api/deed-calls.ts";
import { rendered } from "../../content/rendered.ts";
import { sync } from "../../here.ts";
import { known, now } from "../../live.ts";
import { loadRenderer, renderer } from "../../render/loading.ts";
import { useOver } from "../../ui/over.ts";
import { say } from "../../words/words.ts";
import { drawing } from "../conversation/drawing.ts";

/** The server is asked when one pauses. */
const PAUSE_MS = 500;

interface Previewed {
  text: string;
  isShown: Signal<boolean>;
}

export function Preview({ text, isShown }: Previewed) {
  useOver(() => (isShown.value = false));
  const node = useRef<HTMLDivElement>(null);
  /** The server's rendering, and of which text it is. */
  const served = useSignal<{ text: string; html: string } | undefined>(undefined);
  loadRenderer();
  const html = served.value?.text === text ? served.value.html : local(text);
  useEffect(() => {
    if (text.trim() === "") return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      renderText(sync, { content: text }, { signal: stop.signal }).then(
        ({ rendered }) => (served.value = { text, html: rendered }),
        // Without an answer of the server, the client's rendering stays.
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  useLayoutEffect(() => {
    node.current?.replaceChildren(rendered(html, { ...drawing, me: drawing.me }));
  }, [html]);
  return (
    <div class="compose-preview" role="region" aria-label={say("preview")} tabIndex={0}>
      {text.trim() === "" && <p class="hint">{say("nothing-to-preview")}</p>}
      <div class="md" dir="auto" ref={node} />
    </div>
  );
}

function local(text: string): string {
  const loaded = renderer.value;
  if (!loaded || !known() || text.trim() === "") return "";
  try {
    return loaded.renderLocally(text, now()).html;
  } catch {
    return "";
  }
}
