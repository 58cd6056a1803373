// Additional fields of each error, some of which have several forms.
import Type, { type TProperties } from "typebox";
import type { ErrorCode } from "../errors/general.ts";
import { list, nullable } from "./value-types.ts";

const code = { result: Type.Literal("error"), msg: Type.String() };
/** The field of a form that the error is about. */
const field = Type.Optional(Type.String());
const form = (name: ErrorCode, more: TProperties = {}) =>
  Type.Object({ ...code, code: Type.Literal(name), field, ...more });

/** An existing path with another method: the only error without a code. */
export const methodRefusedShape = Type.Object({ ...code, allowed_methods: list(Type.String()) });

/** Codes that are missing here have no additional fields. */
const extraFields: { readonly [C in ErrorCode]?: readonly TProperties[] } = {
  BAD_REQUEST: [
    {},
    { errors: Type.Unknown() },
    { parameters: Type.String() },
    { required_parameter: Type.String(), set_parameter: Type.String() },
    { empty_topic_display_name: Type.String() },
  ],
  REQUEST_VARIABLE_MISSING: [{ var_name: Type.String() }],
  REQUEST_VARIABLE_INVALID: [{ var_name: Type.String(), bad_value: Type.Unknown() }],
  REQUEST_CONFUSING_VAR: [{ var_name1: Type.String(), var_name2: Type.String() }],
  RATE_LIMIT_HIT: [{ "retry-after": Type.Number() }],
  CSRF_FAILED: [{ reason: Type.String() }],
  BAD_NARROW: [{ desc: Type.String() }],
  BAD_EVENT_QUEUE_ID: [{ queue_id: Type.String() }],
  STREAM_DOES_NOT_EXIST: [{ stream: Type.String() }, { stream_id: Type.Integer() }],
  CHANNEL_ALREADY_EXISTS: [{ channel_name: Type.String() }],
  CANNOT_DEACTIVATE_LAST_USER: [{ is_last_owner: Type.Boolean(), entity: Type.String() }],
  CANNOT_DEACTIVATE_GROUP_IN_USE: [{ objections: list(Type.Unknown()) }],
  EXPECTATION_MISMATCH: [{ field_name: Type.String() }],
  SYSTEM_GROUP_REQUIRED: [{ setting_name: Type.String() }],
  INVITATION_FAILED: [
    {
      errors: list(Type.Unknown()),
      sent_invitations: Type.Boolean(),
      daily_limit_reached: Type.Boolean(),
      license_limit_reached: Type.Boolean(),
      invite_links: Type.Optional(
        list(Type.Object({ email: Type.String(), invite_link: Type.String() })),
      ),
    },
  ],
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: [
    {
      first_message_id_allowed_to_move: nullable(Type.Integer()),
      total_messages_in_topic: Type.Integer(),
      total_messages_allowed_to_move: Type.Integer(),
    },
  ],
  MISSING_HTTP_EVENT_HEADER: [{ header: Type.String() }],
  STORE_FULL: [{ request_id: Type.String() }],
  INTERNAL_SERVER_ERROR: [{ request_id: Type.String() }],
};

/** Errors that any endpoint can return, most of them before the endpoint runs. */
export const GENERAL: readonly ErrorCode[] = [
  "BAD_REQUEST",
  "REQUEST_VARIABLE_MISSING",
  "REQUEST_VARIABLE_INVALID",
  "REQUEST_CONFUSING_VAR",
  "UNAUTHORIZED",
  "UNAUTHENTICATED_USER",
  "UNAUTHORIZED_PRINCIPAL",
  "PERMISSION_DENIED",
  "INVALID_API_KEY",
  "USER_DEACTIVATED",
  "CSRF_FAILED",
  "SESSION_OF_ANOTHER",
  "REALM_DEACTIVATED",
  "NONEXISTENT_SUBDOMAIN",
  "RATE_LIMIT_HIT",
  "SERVER_NOT_READY",
  "STORE_FULL",
  "TOO_MANY_CONNECTIONS",
  "INTERNAL_SERVER_ERROR",
];

/** The complete schema of an error with this code. */
export function refusalShape(name: ErrorCode) {
  const forms = (extraFields[name] ?? [{}]).map((more) => form(name, more));
  return forms.length === 1 ? forms[0]! : Type.Union(forms);
}
