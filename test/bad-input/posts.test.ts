// Sends invalid values to endpoints that create; see check-invalid-values.ts.
import { testInvalidValues } from "./check-invalid-values.ts";

testInvalidValues((method) => method === "POST");
