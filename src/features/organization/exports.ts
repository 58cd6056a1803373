// Exports of the organization's data, which administrators ask for: here the operator makes them.
import Type from "typebox";
import { exportByOperator, exportNotFound } from "../../contract/errors/realm.ts";
import { choice, list, nothing, nullable } from "../../contract/shapes/kinds.ts";
import { defaulted, endpoint, int, oneOf } from "../../endpoint.ts";

const KINDS = oneOf("public", "full_with_consent", "full_without_consent", "1", "2");

export const getExports = endpoint({
  summary: "List exports: always an empty list, as the operator exports",
  tag: "Organization",
  params: {},
  answer: Type.Object({
    exports: list(
      Type.Object({
        id: Type.Integer(),
        acting_user_id: Type.Integer(),
        export_time: Type.Number(),
        export_type: choice("public", "full_with_consent", "full_without_consent"),
        export_url: nullable(Type.String()),
        deleted_timestamp: nullable(Type.Number()),
        failed_timestamp: nullable(Type.Number()),
        pending: Type.Boolean(),
        export_from_prior_server: Type.Boolean(),
      }),
    ),
  }),
  run: () => ({ exports: [] }),
});

export const postExport = endpoint({
  summary: "Begin an export. Not available on this server: its operator exports",
  tag: "Organization",
  params: { export_type: defaulted(KINDS, "public") },
  answer: Type.Object({ id: Type.Integer() }),
  run() {
    throw exportByOperator();
  },
});

export const deleteExport = endpoint({
  summary: "Delete an export. Not available on this server",
  tag: "Organization",
  params: { export_id: int },
  answer: nothing,
  run() {
    throw exportNotFound();
  },
});
