// What is changed and deleted: see nonsense.ts.
import { takesNonsense } from "./nonsense.ts";

takesNonsense((method) => method !== "GET" && method !== "POST");
