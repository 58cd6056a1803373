// Incoming and outgoing webhooks: their types and limits.

/** Pauses before the second, third and fourth attempt. */
export const CALL_PAUSES_MS: readonly number[] = [1_000, 5_000, 30_000];
/** Per bot. Further messages are not delivered to it. */
export const CALLS_WAITING_MAX = 200;
/** The limit for all bots together, so that hanging calls do not block other work. */
export const CALLS_AT_ONCE = 10;
/** Per bot, for display. Older calls are removed. */
export const CALLS_KEPT_MAX = 20;
export const CALL_WHY_LENGTH_MAX = 200;
/** Timeout of one call: DNS, request and complete response. */
export const CALL_MS = 10_000;
export const CALL_ANSWER_BYTES_MAX = 262_144;

/** Limit of an incoming JSON payload. */
export const PAYLOAD_DEPTH_MAX = 100;
export const EVENT_LENGTH_MAX = 200;
export const EVENT_PATTERNS_MAX = 100;
/** Maximum length of a payload that is posted without a template. */
export const PAYLOAD_SHOWN_LENGTH_MAX = 9_500;

export interface Integration {
  readonly name: string;
  readonly display_name: string;
  /** The parameters that a client offers for the URL. Their values are text. */
  readonly url_options: readonly (readonly [key: string, label: string])[];
}

export const JSON_HOOK: Integration = {
  name: "json",
  display_name: "JSON",
  url_options: [
    ["template", "Template of the message, with fields such as {{build.status}}"],
    ["topic_template", "Template of the topic"],
    ["event_header", "Header that names the event"],
    ["event_field", "Field of the payload that names the event"],
  ],
};

export const SLACK_HOOK: Integration = {
  name: "slack_incoming",
  display_name: "Slack-compatible webhook",
  url_options: [],
};

export const INTEGRATIONS: readonly Integration[] = [JSON_HOOK, SLACK_HOOK];
