// Sends invalid values to endpoints that change or delete; see check-invalid-values.ts.
import { takesNonsense } from "./check-invalid-values.ts";

takesNonsense((method) => method !== "GET" && method !== "POST");
