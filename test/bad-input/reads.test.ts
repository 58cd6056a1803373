// Sends invalid values to endpoints that only read; see check-invalid-values.ts.
import { testInvalidValues } from "./check-invalid-values.ts";

testInvalidValues((method) => method === "GET");
