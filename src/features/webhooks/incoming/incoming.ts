// Incoming webhooks: payloads that other programs post to a URL containing a bot's key.
import Type from "typebox";
import { Refusal } from "../../../contract/errors/general.ts";
import { messageEmpty } from "../../../contract/errors/messages.ts";
import { eventHeaderMissing, payloadAnomalous } from "../../../contract/errors/people.ts";
import { nothing } from "../../../contract/shapes/value-types.ts";
import { type Context, endpoint, json, optional, text, textOf } from "../../../endpoint.ts";
import { markdownOfSlackMessage } from "../../../text/slack/message.ts";
import { codeBlock } from "../../../text/slack/mrkdwn.ts";
import { matchesGlob } from "../../../text/templates/glob.ts";
import { filledTemplate, TEMPLATE_LENGTH_MAX, textAt } from "../../../text/templates/template.ts";
import { isFields, textIn } from "../../../text/untrusted-json.ts";
import { recordCall } from "../recent-calls.ts";
import {
  EVENT_LENGTH_MAX,
  EVENT_PATTERNS_MAX,
  JSON_HOOK,
  PAYLOAD_SHOWN_LENGTH_MAX,
  SLACK_HOOK,
} from "../rules.ts";
import { payloadOf } from "./payload.ts";
import { resultWithStatus, NOTHING_POSTED, OK, type CallResult, postAsHook } from "./post.ts";

const patterns = optional(
  json(Type.Array(Type.String({ maxLength: EVENT_LENGTH_MAX }), { maxItems: EVENT_PATTERNS_MAX })),
);

/** Parameters of all incoming webhooks. `api_key` is read during authentication. */
const hook = {
  api_key: optional(text),
  stream: optional(text),
  topic: optional(text),
  only_events: patterns,
  exclude_events: patterns,
  /** In the URL, for programs that cannot send it in the body. */
  payload: optional(text),
};

interface Events {
  only_events: string[] | undefined;
  exclude_events: string[] | undefined;
}

export const postSlackHook = endpoint({
  summary: "Send a payload in Slack's format to an incoming webhook",
  tag: "Bots",
  params: hook,
  body: "raw",
  answer: Type.Object({ ok: Type.Boolean() }),
  refuses: [
    "ANOMALOUS_WEBHOOK_PAYLOAD",
    "INVALID_JSON",
    "MISSING_HTTP_EVENT_HEADER",
    "STREAM_DOES_NOT_EXIST",
  ],
  async run(context, { payload: value, ...params }) {
    await recordingErrors(context, async () => {
      const payload = await payloadOf(context.request, value);
      if (!isFields(payload)) throw payloadAnomalous(SLACK_HOOK.name, "it is not a JSON object");
      const content = markdownOfSlackMessage(payload);
      if (content === "") throw payloadAnomalous(SLACK_HOOK.name, NO_CONTENT);
      // The topic in the form `#builds`.
      const topic = textIn(payload, "channel").replace(/^[#@]/, "");
      await postAsHook(context, params, topic, content, SLACK_HOOK);
    });
    return { ok: true };
  },
});

/** Slack requires at least one of the three. */
const NO_CONTENT = 'none of "text", "blocks" and "attachments" has any content to show';

const template = optional(textOf({ max: TEMPLATE_LENGTH_MAX }));
const JSON_TOPIC = "JSON";

export const postJsonHook = endpoint({
  summary: "Send any JSON to an incoming webhook",
  tag: "Bots",
  params: {
    ...hook,
    template,
    topic_template: template,
    event_header: optional(textOf({ max: EVENT_LENGTH_MAX })),
    event_field: optional(textOf({ max: EVENT_LENGTH_MAX })),
  },
  body: "raw",
  answer: nothing,
  refuses: [
    "ANOMALOUS_WEBHOOK_PAYLOAD",
    "INVALID_JSON",
    "MISSING_HTTP_EVENT_HEADER",
    "STREAM_DOES_NOT_EXIST",
  ],
  async run(context, { payload: value, ...params }) {
    await recordingErrors(context, async () => {
      const payload = await payloadOf(context.request, value);
      const event = eventOf(context, params.event_header, params.event_field, payload);
      if (event !== undefined && !isSelectedEvent(event, params))
        return recordResult(context, NOTHING_POSTED, OK);
      const content = contentOf(payload, params.template);
      if (content.trim() === "") throw messageEmpty();
      const { topic_template = JSON_TOPIC } = params;
      const topic = filledTemplate(topic_template, payload).replaceAll(/\s+/g, " ");
      await postAsHook(context, params, topic, content, JSON_HOOK);
    });
    return {};
  },
});

/** Records rejected payloads for the bot's owner. Accepted ones are recorded with their message. */
async function recordingErrors(context: Context, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Refusal) {
      const failed = { message_id: null, outcome: "failed", why: error.message } as const;
      await recordResult(context, failed, error.status);
    }
    throw error;
  }
}

/** Runs after the response, which does not depend on it. */
async function recordResult(
  { realm, user }: Context,
  posted: CallResult,
  status: number,
): Promise<void> {
  const recording = realm.write((tx) =>
    recordCall(tx, user.user_id, resultWithStatus(posted, status)),
  );
  await recording.catch((error: Error) =>
    realm.onNote("a call of a webhook could not be recorded", { error: error.message }),
  );
}

/** undefined if the type of the event cannot be determined. */
function eventOf(
  { request }: Context,
  header: string | undefined,
  field: string | undefined,
  payload: unknown,
): string | undefined {
  if (header === undefined && field === undefined) return undefined;
  const headerEvents = header === undefined ? [] : [headerOf(request, header)];
  const inside = field === undefined ? [] : [textAt(payload, field)];
  return [...headerEvents, ...inside].join(".").slice(0, EVENT_LENGTH_MAX);
}

function headerOf({ headers }: Request, name: string): string {
  // An invalid header name would cause an internal error.
  const value = /^[\w-]+$/.test(name) ? headers.get(name) : null;
  if (value === null) throw eventHeaderMissing(name);
  return value;
}

function isSelectedEvent(event: string, { only_events, exclude_events }: Events): boolean {
  const matchesAny = (list: readonly string[]) => list.some((item) => matchesGlob(event, item));
  if (only_events && !matchesAny(only_events)) return false;
  return !exclude_events || !matchesAny(exclude_events);
}

function contentOf(payload: unknown, value: string | undefined): string {
  if (value !== undefined) return filledTemplate(value, payload);
  const payloadText = JSON.stringify(payload, null, 2).toWellFormed();
  const isLong = payloadText.length > PAYLOAD_SHOWN_LENGTH_MAX;
  return codeBlock(
    isLong ? `${payloadText.slice(0, PAYLOAD_SHOWN_LENGTH_MAX)}\n…` : payloadText,
    "json",
  );
}
