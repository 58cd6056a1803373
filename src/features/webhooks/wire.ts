// The data of webhooks for clients, and the payload of outgoing ones.
import type { Reader } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { Bot } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import type { ChannelAccess } from "../messages/edit-history-wire.ts";
import { messageObject, renderedOf } from "../messages/wire.ts";
import { hostOf } from "../people/wire.ts";
import { INTEGRATIONS } from "./rules.ts";

/** `realm_incoming_webhook_bots` of the snapshot. */
export const incomingWebhooks = INTEGRATIONS.map(({ name, display_name, url_options }) => ({
  name,
  display_name,
  all_event_types: null,
  config_options: [],
  url_options: url_options.map(([key, label]) => ({ key, label, input_type: "text" })),
}));

/** A message to send to a bot's webhook. */
export interface CalledMessage {
  bot: User;
  service: NonNullable<Bot["service"]>;
  message: Message;
  /** The users whom the bot can see. */
  canSee: (user: User) => boolean;
  channelAccess: ChannelAccess;
}

const triggerOf = ({ stream_id }: Message) => (stream_id === 0 ? "direct_message" : "mention");

/** The body of a call in Zulip's format. */
export function callObject(
  reader: Reader,
  { bot, service, message, canSee, channelAccess }: CalledMessage,
) {
  const form = {
    apply_markdown: false,
    client_gravatar: false,
    allow_empty_topic_name: true,
    canSee,
    channelAccess,
  };
  return {
    bot_email: bot.delivery_email,
    bot_full_name: bot.full_name,
    data: message.content,
    message: {
      ...messageObject(reader, message, form),
      rendered_content: renderedOf(reader, message),
    },
    token: service.token,
    trigger: triggerOf(message),
  };
}

/** The fields of a call in Slack's format. */
export function slackFields(reader: Reader, { bot, service, message, canSee }: CalledMessage) {
  const sender = reader.users.get(message.sender_id);
  const isSeen = sender !== undefined && canSee(sender);
  return {
    token: service.token,
    team_id: "T1",
    team_domain: hostOf(reader.config.url),
    channel_id: `C${message.stream_id}`,
    channel_name: reader.channels.get(message.stream_id)?.name ?? "",
    thread_ts: String(message.timestamp),
    timestamp: String(message.timestamp),
    user_id: `U${message.sender_id}`,
    user_name: isSeen ? sender.full_name : "Unknown user",
    text: message.content,
    trigger_word: triggerOf(message),
    service_id: String(bot.user_id),
  };
}
