// The renderer, once it is there: asked for when somebody begins to write.
import { signal } from "@preact/signals";

type Renderer = typeof import("./render.ts");

/** Undefined until it was fetched. */
export const renderer = signal<Renderer | undefined>(undefined);
let loading: Promise<void> | undefined;

/** Without a network it is tried again at the next occasion. */
export function loadRenderer(): void {
  loading ??= import("./render.ts").then(
    (loaded) => void (renderer.value = loaded),
    () => void (loading = undefined),
  );
}
