// Questions: see nonsense.ts.
import { takesNonsense } from "./nonsense.ts";

takesNonsense((method) => method === "GET");
