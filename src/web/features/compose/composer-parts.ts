// The parts of the composer that load after the view is displayed.
import { loadRenderer } from "../../render/loading.ts";
import { startWriting } from "./commands.ts";
import { OpenComposer } from "./composer.tsx";
import "./moved-topics-sync.ts";
import { isUnknown } from "../recipient/reasons.ts";

export const parts = { OpenComposer, startWriting, isUnknown };

/**
 * Delay after the page has started. Few users type sooner, so the first key press rarely has to
 * load the renderer.
 */
const RENDERER_MS = 1500;
setTimeout(loadRenderer, RENDERER_MS);
