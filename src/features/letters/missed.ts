// The letter that tells of messages which somebody has missed, all of one conversation.
import type { Realm } from "../../realm.ts";
import type { Message } from "../../schema/records-messages.ts";
import type { User } from "../../schema/records.ts";
import { toUser } from "../mail/account.ts";
import type { Both, Draft } from "../mail/letter.ts";
import { conversationOf, excerptFor, nameFor, placeOf } from "../notifications/places.ts";
import { stillTriggering, type Trigger, triggerOf } from "../notifications/trigger.ts";
import { Html, markup } from "../speech/markup.ts";
import { hostOf } from "../people/wire.ts";
import { isClosed } from "../realm/access.ts";
import { userSetting } from "../settings/rules.ts";
import { speechTo } from "../speech/choose.ts";
import type { Speech, Word } from "../speech/speech.ts";
import { unsubscribeHeaders, unsubscribing } from "./unsubscribe.ts";

/** Messages beyond these are counted, not shown. */
const SHOWN_MAX = 30;
const ALWAYS = 2;

/** undefined: the person has seen them meanwhile, or may not see them any more. */
export function missedLetter(
  realm: Realm,
  user_id: number,
  message_ids: readonly number[],
): Draft | undefined {
  const { read } = realm;
  const user = read.users.get(user_id);
  const found = isClosed(read) ? [] : stillTriggering(read, user_id, message_ids, "email");
  const newest = found.at(-1);
  if (!user || !newest) return undefined;
  const messages = found.filter((one) => conversationOf(one) === conversationOf(newest));
  const place = placeOf(realm, user, messages[0]!);
  const isShown = showsContent(realm, user);
  const { name } = read.settings;
  const speech = speechTo(user);
  const { language, say } = speech;
  const senders = [...new Set(messages.map(({ sender_id }) => nameFor(realm, user, sender_id)))];
  const prefix =
    userSetting(user, "realm_name_in_email_notifications_policy") === ALWAYS ? `[${name}] ` : "";
  const conversation = conversationOf(newest).replace(" ", "-");
  const thread = `<${conversation}.${user_id}@${hostOf(realm.config.url)}>`;
  return {
    to: toUser(user),
    from_name: isShown ? `${senders.slice(0, 3).join(", ")} (${name})` : name,
    language,
    subject: prefix + (isShown ? place.title : say("mail-new-messages")),
    blocks: isShown
      ? [
          place.title,
          ...messages.slice(-SHOWN_MAX).map((message) => shown(realm, user, message)),
          ...more(speech, messages.length - SHOWN_MAX),
          { label: say("mail-open-conversation", { name }), url: realm.config.url + place.path },
        ]
      : [
          say("mail-have-new", { count: messages.length }),
          { label: say("mail-open", { name }), url: realm.config.url },
        ],
    footer: [
      say(reasonFor(triggerOf(read, user, newest, "email"))),
      ...(isShown ? [] : [say("mail-not-shown")]),
      unsubscribing(realm, user, "missed_messages"),
    ],
    // Letters about one conversation stand together.
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

function shown(realm: Realm, user: User, message: Message): Both {
  const sender = nameFor(realm, user, message.sender_id);
  const { html, text } = excerptFor(realm, user, message, true);
  return {
    text: `${sender}:\n${text}`,
    html: markup`<div><strong>${sender}</strong>\n${new Html(html)}</div>\n`,
  };
}

function more({ say }: Speech, count: number): string[] {
  return count > 0 ? [say("mail-and-earlier", { count })] : [];
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
