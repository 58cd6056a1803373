// The email about missed messages of one conversation.
import type { Realm } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { toUser } from "../mail/account-emails.ts";
import type { EmailBodies, Draft } from "../mail/email-content.ts";
import {
  conversationOf,
  excerptFor,
  nameFor,
  locationOf,
} from "../notifications/message-context.ts";
import { stillTriggering, type Trigger, triggerOf } from "../notifications/trigger.ts";
import { Html, markup } from "../i18n/markup.ts";
import { hostOf } from "../people/wire.ts";
import { isDeactivated } from "../realm/access.ts";
import { userSetting } from "../settings/rules.ts";
import { userTranslator } from "../i18n/negotiate-language.ts";
import type { Translator, Word } from "../i18n/translations.ts";
import { unsubscribeHeaders, unsubscribing } from "./unsubscribe.ts";

/** Messages beyond these are only counted. */
const SHOWN_MAX = 30;
const ALWAYS_IN_SUBJECT = 2;

/** undefined if the user has read them or has lost access. */
export function missedMessagesEmail(
  realm: Realm,
  user_id: number,
  message_ids: readonly number[],
): Draft | undefined {
  const { read } = realm;
  const user = read.users.get(user_id);
  const messageIds = isDeactivated(read)
    ? []
    : stillTriggering(read, user_id, message_ids, "email");
  const newest = messageIds.at(-1);
  if (!user || !newest) return undefined;
  const messages = messageIds.filter(
    (message) => conversationOf(message) === conversationOf(newest),
  );
  const locationText = locationOf(realm, user, messages[0]!);
  const isShown = showsContent(realm, user);
  const { name } = read.settings;
  const translator = userTranslator(user);
  const { language, translate } = translator;
  const senders = [...new Set(messages.map(({ sender_id }) => nameFor(realm, user, sender_id)))];
  const prefix =
    userSetting(user, "realm_name_in_email_notifications_policy") === ALWAYS_IN_SUBJECT
      ? `[${name}] `
      : "";
  const conversation = conversationOf(newest).replace(" ", "-");
  const thread = `<${conversation}.${user_id}@${hostOf(realm.config.url)}>`;
  return {
    to: toUser(user),
    from_name: isShown ? `${senders.slice(0, 3).join(", ")} (${name})` : name,
    language,
    subject: prefix + (isShown ? locationText.title : translate("mail-new-messages")),
    blocks: isShown
      ? [
          locationText.title,
          ...messages.slice(-SHOWN_MAX).map((message) => messageExcerpt(realm, user, message)),
          ...more(translator, messages.length - SHOWN_MAX),
          {
            label: translate("mail-open-conversation", { name }),
            url: realm.config.url + locationText.path,
          },
        ]
      : [
          translate("mail-have-new", { count: messages.length }),
          { label: translate("mail-open", { name }), url: realm.config.url },
        ],
    footer: [
      translate(reasonFor(triggerOf(read, user, newest, "email"))),
      ...(isShown ? [] : [translate("mail-not-shown")]),
      unsubscribing(realm, user, "missed_messages"),
    ],
    // Makes mail programs group emails about one conversation.
    headers: {
      ...unsubscribeHeaders(realm, user, "missed_messages"),
      ...(isShown && { "In-Reply-To": thread, References: thread }),
    },
  };
}

function showsContent({ read }: Realm, user: User): boolean {
  return (
    read.settings.message_content_allowed_in_email_notifications &&
    userSetting(user, "message_content_in_email_notifications") === true
  );
}

function messageExcerpt(realm: Realm, user: User, message: Message): EmailBodies {
  const sender = nameFor(realm, user, message.sender_id);
  const { html, text } = excerptFor(realm, user, message, true);
  return {
    text: `${sender}:\n${text}`,
    html: markup`<div><strong>${sender}</strong>\n${new Html(html)}</div>\n`,
  };
}

function more({ translate }: Translator, count: number): string[] {
  return count > 0 ? [translate("mail-and-earlier", { count })] : [];
}

function reasonFor(trigger: Trigger | undefined): Word {
  switch (trigger) {
    case "mention":
      return "because-mentioned";
    case "group":
      return "because-group";
    case "wildcard":
      return "because-everyone";
    case "followed":
      return "because-followed";
    case "channel":
      return "because-channel";
    default:
      return "because-direct";
  }
}
