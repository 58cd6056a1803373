// Sends invalid values to endpoints that create; see check-invalid-values.ts.
import { takesNonsense } from "./check-invalid-values.ts";

takesNonsense((method) => method === "POST");
