// The parts of the composer that load after the view is displayed.
import { loadRenderer } from "../../render/loading.ts";
import { beginIn } from "./commands.ts";
import { OpenComposer } from "./composer.tsx";

export const parts = { OpenComposer, beginIn };

/** The page has begun by then, and few write sooner: their first key does not bring it along. */
const RENDERER_MS = 1500;
setTimeout(loadRenderer, RENDERER_MS);
