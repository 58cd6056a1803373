// What of the composer is fetched once the view around it is shown.
import { beginIn } from "./commands.ts";
import { OpenComposer } from "./composer.tsx";

export const parts = { OpenComposer, beginIn };
