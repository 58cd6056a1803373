// Schema of an export that an administrator requested.
import Type from "typebox";
import { choice, nullable } from "./value-types.ts";

export const exportShape = Type.Object({
  id: Type.Integer(),
  acting_user_id: Type.Integer(),
  export_time: Type.Number(),
  export_type: choice("public", "full_with_consent", "full_without_consent"),
  export_url: nullable(Type.String()),
  deleted_timestamp: nullable(Type.Number()),
  failed_timestamp: nullable(Type.Number()),
  pending: Type.Boolean(),
  export_from_prior_server: Type.Boolean(),
});
