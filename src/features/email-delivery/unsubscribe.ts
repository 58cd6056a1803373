// Links in emails that disable emails of that kind without signing in.
import { type OpenContext, openEndpoint, text } from "../../endpoint.ts";
import type { Realm, Writer } from "../../realm.ts";
import type { User } from "../../schema/records.ts";
import { setProperties } from "../channels/subscriptions/properties.ts";
import type { Block } from "../mail/email-content.ts";
import { firstButton, page } from "../pages/page.ts";
import { encryptText, decryptText } from "../secrets/encrypted.ts";
import { changeSetting } from "../settings/change/actions.ts";
import type { SettingName } from "../settings/rules.ts";
import { translatorOf, userTranslator } from "../i18n/negotiate-language.ts";
import { markup } from "../i18n/markup.ts";
import type { Word } from "../i18n/translations.ts";

/** The text and the disabled settings, by the kind in the link. */
const KINDS = {
  missed_messages: {
    ending: "end-missed",
    get: "get-missed",
    ended: "ended-missed",
    settings: [
      "enable_offline_email_notifications",
      "enable_followed_topic_email_notifications",
      "enable_stream_email_notifications",
    ],
  },
  login: {
    ending: "end-sign-ins",
    get: "get-sign-ins",
    ended: "ended-sign-ins",
    settings: ["enable_login_emails"],
  },
} as const satisfies Record<
  string,
  { ending: Word; get: Word; ended: Word; settings: readonly SettingName[] }
>;

type Kind = keyof typeof KINDS;

/** The URL contains the encrypted user, so nothing is stored and users cannot forge links. */
function unsubscribeUrl(realm: Realm, { user_id }: User, kind: Kind): string {
  const sealed = Buffer.from(encryptText(realm, String(user_id), ticketKind(kind)), "base64");
  return `${realm.config.url}/accounts/unsubscribe/${kind}/${sealed.toString("base64url")}`;
}

/** Headers for unsubscribing with one click in the mail program (RFC 8058). */
export function unsubscribeHeaders(realm: Realm, user: User, kind: Kind) {
  return {
    "List-Unsubscribe": `<${unsubscribeUrl(realm, user, kind)}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

export function unsubscribing(realm: Realm, user: User, kind: Kind): Block {
  const label = userTranslator(user).translate(KINDS[kind].ending);
  return { label, url: unsubscribeUrl(realm, user, kind) };
}

const ticketKind = (kind: Kind) => `unsubscribe ${kind}`;

/** Mail programs open links automatically, so opening one changes nothing. */
export const showUnsubscribe = openEndpoint({
  summary: "Show the form to unsubscribe from a kind of emails",
  tag: "Pages",
  params: { kind: text, key: text },
  run: (context, { kind, key }) => {
    const { realm, request } = context;
    const subscription = subscriptionOfLink(realm, kind, key);
    if (!subscription) return noSuchLink(context);
    const { user } = subscription;
    const { translate } = userTranslator(user);
    const { get } = KINDS[subscription.kind];
    const body = markup`<p>${translate(get, { email: user.delivery_email })}</p>
<form method="post"><button type="submit">${translate("unsubscribe")}</button></form>`;
    return page({ realm, request, user }, translate("unsubscribe-confirm"), body);
  },
});

export const unsubscribe = openEndpoint({
  summary: "Unsubscribe from a kind of emails",
  tag: "Pages",
  params: { kind: text, key: text },
  run: async (context, { kind, key }) => {
    const { realm, request } = context;
    const subscription = subscriptionOfLink(realm, kind, key);
    if (!subscription) return noSuchLink(context);
    await realm.write((tx) => disableEmails(tx, subscription.user.user_id, subscription.kind));
    const { user } = subscription;
    const { translate } = userTranslator(user);
    const body = markup`<p>${translate(KINDS[subscription.kind].ended)}</p>
${firstButton("/#settings/notifications", translate("open-settings"))}`;
    return page({ realm, request, user }, translate("unsubscribed"), body);
  },
});

function disableEmails(tx: Writer, user_id: number, kind: Kind): void {
  for (const name of KINDS[kind].settings) changeSetting(tx, user_id, name, false);
  if (kind !== "missed_messages") return;
  const own = tx.subscriptions.listBy("user", user_id);
  const withEmails = own.filter((sub) => sub.active && sub.email_notifications);
  const params = withEmails.map(({ stream_id }) => ({
    stream_id,
    property: "email_notifications",
    value: false,
  }));
  setProperties(tx, tx.users.get(user_id)!, params);
}

function subscriptionOfLink(
  realm: Realm,
  kind: string,
  key: string,
): { user: User; kind: Kind } | undefined {
  if (!realm.read.realm.has(1) || !Object.hasOwn(KINDS, kind)) return undefined;
  const sealed = Buffer.from(key, "base64url").toString("base64");
  const user_id = decryptText(realm, sealed, ticketKind(kind as Kind));
  const user = user_id === undefined ? undefined : realm.read.users.get(Number(user_id));
  return user && { user, kind: kind as Kind };
}

function noSuchLink(context: Pick<OpenContext, "realm" | "request">): Response {
  const { translate } = translatorOf(context);
  const body = markup`<p>${translate("nothing-changed")}</p>
${firstButton("/#settings/notifications", translate("open-settings"))}`;
  return page(context, translate("link-invalid"), body, NOT_FOUND);
}

const NOT_FOUND = 404;
