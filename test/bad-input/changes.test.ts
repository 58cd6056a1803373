// Nonsense in requests that change or delete, as defined in nonsense.ts.
import { takesNonsense } from "./nonsense.ts";

takesNonsense((method) => method !== "GET" && method !== "POST");
