// Sends invalid values to endpoints that only read; see check-invalid-values.ts.
import { takesNonsense } from "./check-invalid-values.ts";

takesNonsense((method) => method === "GET");
