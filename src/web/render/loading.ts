// The renderer, once it is there: asked for when somebody begins to write.
import { signal } from "@preact/signals";
import type { State } from "../state.ts";

type Renderer = typeof import("./render.ts");

/** Undefined until it was fetched. */
export const renderer = signal<Renderer | undefined>(undefined);
let loading: Promise<void> | undefined;

/** Without a network, it is retried at the next occasion. */
export function loadRenderer(): void {
  loading ??= import("./render.ts").then(
    (loaded) => void (renderer.value = loaded),
    () => void (loading = undefined),
  );
}

let coming: Promise<void> | undefined;

/** Resolves once it is there, however often it is tried; undefined where it is. */
export function whenRenderer(): Promise<void> | undefined {
  if (renderer.peek()) return undefined;
  loadRenderer();
  return (coming ??= new Promise((resolve) => {
    const stop = renderer.subscribe((loaded) => {
      if (!loaded) return;
      resolve();
      queueMicrotask(() => stop());
    });
  }));
}

/** Rendered like on the server. Before the renderer is loaded, the text line by line. */
export function contentOf(text: string, state: State): { html: string; is_me_message: boolean } {
  try {
    const rendered = renderer.peek()?.renderLocally(text, state);
    if (rendered) return rendered;
  } catch {
    // Too long for the renderer: the server will say so.
  }
  const lines = text.split("\n").map(escapeText);
  return { html: `<p>${lines.join("<br>")}</p>`, is_me_message: false };
}

const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
