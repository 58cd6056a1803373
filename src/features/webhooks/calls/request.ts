// The request to an outgoing webhook in either format, and the interpretation of its response.
import { PROTOCOL_VERSION } from "../../../contract/names.ts";
import type { Reader } from "../../../realm.ts";
import { decodedText } from "../../../text/input/decode.ts";
import { isFields, isShallow, textIn } from "../../../text/untrusted-json.ts";
import { WIDGET_LENGTH_MAX, widgetContentFault } from "../../../text/widget.ts";
import { PAYLOAD_DEPTH_MAX } from "../rules.ts";
import { type CalledMessage, callObject, slackFields } from "../wire.ts";

/**
 * `publicReason`: the text to post in the conversation. `ownerReason`: sent to the owner; must not
 * reveal the internal network.
 */
export type CallOutcome =
  { is: "nothing" } | { is: "reply"; content: string; widget?: object } | Failure;

export interface Failure {
  is: "failure" | "put off";
  publicReason: string;
  ownerReason: string;
}

const USER_AGENT = `SkeinOutgoingWebhook/${PROTOCOL_VERSION}`;
const SLACK = 2;

const isSlack = ({ service }: CalledMessage) => service.interface === SLACK;

/** undefined if the format does not support such a message. */
export function webhookRequestOf(reader: Reader, calledMessage: CalledMessage) {
  if (isSlack(calledMessage) && calledMessage.message.stream_id === 0) return undefined;
  const [type, body] = isSlack(calledMessage)
    ? ["x-www-form-urlencoded", new URLSearchParams(slackFields(reader, calledMessage)).toString()]
    : ["json", JSON.stringify(callObject(reader, calledMessage))];
  const headers = {
    "Content-Type": `application/${type}`,
    "Content-Length": String(Buffer.byteLength(body!)),
    "User-Agent": USER_AGENT,
  };
  return { url: calledMessage.service.base_url, headers, body: body! };
}

/** Temporary errors of the server are retried. */
export function interpretResponse(
  calledMessage: CalledMessage,
  status: number,
  body: Uint8Array,
): CallOutcome {
  if (status < 200 || status > 299) {
    const text = `Third party responded with ${status}`;
    const is = status >= 500 ? "put off" : "failure";
    return { is, publicReason: text, ownerReason: `the response had the status ${status}` };
  }
  if (body.length === 0) return { is: "nothing" };
  const text = decodedText(body);
  if (text === undefined) {
    return {
      is: "failure",
      publicReason: "Invalid JSON in response",
      ownerReason: "the response was not UTF-8",
    };
  }
  let response: unknown;
  try {
    response = isShallow(text, PAYLOAD_DEPTH_MAX) ? JSON.parse(text) : undefined;
  } catch {
    const text = "Invalid JSON in response";
    return { is: "failure", publicReason: text, ownerReason: "the response was not JSON" };
  }
  if (!isFields(response)) {
    const text = "Invalid response format";
    return { is: "failure", publicReason: text, ownerReason: "the response was not a JSON object" };
  }
  if (isSlack(calledMessage)) return replyOf(textIn(response, "text"));
  if (response["response_not_required"] === true) return { is: "nothing" };
  if (Object.hasOwn(response, "response_string"))
    return replyOf(textIn(response, "response_string"));
  return replyOf(textIn(response, "content"), response["widget_content"]);
}

function replyOf(content: string, widget_content?: unknown): CallOutcome {
  if (content.trim() === "") return { is: "nothing" };
  if (widget_content === undefined || widget_content === null) return { is: "reply", content };
  const text = typeof widget_content === "string" ? widget_content : JSON.stringify(widget_content);
  const widget = text.length > WIDGET_LENGTH_MAX ? undefined : parsed(text);
  const fault = isFields(widget)
    ? widgetContentFault(widget)
    : `it is not a JSON object of at most ${WIDGET_LENGTH_MAX} characters`;
  if (fault === undefined) return { is: "reply", content, widget: widget as object };
  return {
    is: "failure",
    publicReason: "Invalid widget in response",
    ownerReason: `the widget in the response is invalid: ${fault}`,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
