// Exports of the organization's data, which administrators ask for: here the operator makes them.
import { defaulted, endpoint, int, oneOf } from "../../endpoint.ts";
import { exportByOperator, exportNotFound } from "../../errors-realm.ts";

const KINDS = oneOf("public", "full_with_consent", "full_without_consent", "1", "2");

export const getExports = endpoint({ params: {}, run: () => ({ exports: [] }) });

export const postExport = endpoint({
  params: { export_type: defaulted(KINDS, "public") },
  run() {
    throw exportByOperator();
  },
});

export const deleteExport = endpoint({
  params: { export_id: int },
  run() {
    throw exportNotFound();
  },
});
