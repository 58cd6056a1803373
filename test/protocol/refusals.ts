// The codes of refusals, and what each tells beside `msg`; of some codes there are several forms.
import { list, type Shape } from "../clients/shapes.ts";

type Forms = readonly { readonly [field: string]: Shape }[];

export const REFUSALS: Readonly<Record<string, Forms>> = {
  BAD_REQUEST: [
    {},
    { errors: "any" },
    { parameters: "str" },
    { required_parameter: "str", set_parameter: "str" },
    { empty_topic_display_name: "str" },
  ],
  REQUEST_VARIABLE_MISSING: [{ var_name: "str" }],
  REQUEST_VARIABLE_INVALID: [{ var_name: "str", bad_value: "any?" }],
  REQUEST_CONFUSING_VAR: [{ var_name1: "str", var_name2: "str" }],
  RATE_LIMIT_HIT: [{ "retry-after": "num" }],
  CSRF_FAILED: [{ reason: "str" }],
  BAD_NARROW: [{ desc: "str" }],
  BAD_EVENT_QUEUE_ID: [{ queue_id: "str" }],
  STREAM_DOES_NOT_EXIST: [{ stream: "str" }, { stream_id: "int" }],
  CHANNEL_ALREADY_EXISTS: [{ channel_name: "str" }],
  CANNOT_DEACTIVATE_LAST_USER: [{ is_last_owner: "bool", entity: "str" }],
  CANNOT_DEACTIVATE_GROUP_IN_USE: [{ objections: list("any") }],
  EXPECTATION_MISMATCH: [{ field_name: "str" }],
  SYSTEM_GROUP_REQUIRED: [{ setting_name: "str" }],
  INVITATION_FAILED: [
    {
      errors: list("any"),
      sent_invitations: "bool",
      daily_limit_reached: "bool",
      license_limit_reached: "bool",
      "invite_links?": list({ email: "str", invite_link: "str" }),
    },
  ],
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: [
    {
      first_message_id_allowed_to_move: "int?",
      total_messages_in_topic: "int",
      total_messages_allowed_to_move: "int",
    },
  ],
  MISSING_HTTP_EVENT_HEADER: [{ header: "str" }],
  INVALID_MARKDOWN_INCLUDE_STATEMENT: [{ include_statement: "str" }],
};
