// Sends invalid values to endpoints that change or delete; see check-invalid-values.ts.
import { testInvalidValues } from "./check-invalid-values.ts";

testInvalidValues((method) => method !== "GET" && method !== "POST");
