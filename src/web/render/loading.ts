// Loads the Markdown renderer when the user starts to write.
import { signal } from "@preact/signals";
import type { RenderContext } from "../../text/markdown/context.ts";

type Renderer = typeof import("./render.ts");

/** undefined until it is loaded. */
export const renderer = signal<Renderer | undefined>(undefined);
let loading: Promise<void> | undefined;

/** If there is no network, the next call tries again. */
export function loadRenderer(): void {
  loading ??= import("./render.ts").then(
    (loaded) => void (renderer.value = loaded),
    () => void (loading = undefined),
  );
}

let rendererLoading: Promise<void> | undefined;

/** Resolves when it is loaded, after any number of attempts; undefined if it is loaded already. */
export function whenRenderer(): Promise<void> | undefined {
  if (renderer.peek()) return undefined;
  loadRenderer();
  return (rendererLoading ??= new Promise((resolve) => {
    const stop = renderer.subscribe((loaded) => {
      if (!loaded) return;
      resolve();
      queueMicrotask(() => stop());
    });
  }));
}

/** Rendered like on the server. Before the renderer is loaded, the text line by line. */
export function contentOf(
  text: string,
  context: RenderContext,
): { html: string; is_me_message: boolean } {
  try {
    const rendered = renderer.peek()?.renderLocally(text, context);
    if (rendered) return rendered;
  } catch {
    // The text is too long for the renderer; the server will reject it.
  }
  const lines = text.split("\n").map(escapeText);
  return { html: `<p>${lines.join("<br>")}</p>`, is_me_message: false };
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
