// Nonsense in requests that create, as defined in nonsense.ts.
import { takesNonsense } from "./nonsense.ts";

takesNonsense((method) => method === "POST");
