// What is made: see nonsense.ts.
import { takesNonsense } from "./nonsense.ts";

takesNonsense((method) => method === "POST");
