// The page on which a user whose address an identity provider has verified creates an account.
import { Refusal } from "../../contract/errors/general.ts";
import { signInExpired } from "../../contract/errors/people.ts";
import { defaulted, openEndpoint, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Ticket } from "../../schema/records-people.ts";
import { checkCsrf, CSRF_FIELD } from "../../server/caller/session.ts";
import { csrfParam, formPage, type PageOptions, schemesOf } from "../pages/form.ts";
import { firstButton, page } from "../pages/page.ts";
import { isDeactivated } from "../realm/access.ts";
import { methodNamed } from "../realm/methods-wire.ts";
import { FULL_NAME_LENGTH_MAX } from "../rights/rules.ts";
import { findTicket, invalidateTicket } from "../secrets/one-time-links.ts";
import { translatorOf } from "../i18n/negotiate-language.ts";
import { type Html, markup } from "../i18n/markup.ts";
import {
  signInVerified,
  joinVerified,
  NEW_MEMBER,
  type SignInContext,
  type VerifiedTicket,
} from "./complete.ts";

const REMOVED = 410;

export const showSignUpForm = openEndpoint({
  summary: "Show the form for the first sign-in with an identity provider",
  tag: "Pages",
  params: { token: text },
  run: (context, { token }) => {
    const ticket = ticketOf(context.realm.read, token);
    return ticket ? signUpFormPage(context, identityOf(ticket)) : linkEnded(context);
  },
});

export const createVerifiedAccount = openEndpoint({
  summary: "Join after signing in with an identity provider",
  tag: "Pages",
  params: { token: text, full_name: defaulted(text, ""), ...csrfParam },
  run: async (context, { token, full_name, [CSRF_FIELD]: csrf }) => {
    const { realm, request } = context;
    const ticket = ticketOf(realm.read, token);
    if (!ticket) return linkEnded(context);
    const { email, method, username, loginRedirect } = identityOf(ticket);
    try {
      checkCsrf(realm, request, csrf);
      const join = (tx: Writer) => {
        if (!ticketOf(tx, token)) throw signInExpired();
        invalidateTicket(tx, ticket);
        return joinVerified(tx, { email, full_name }, loginRedirect);
      };
      return await signInVerified(
        context,
        (tx) => join(tx).user_id,
        { method, username },
        loginRedirect,
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!ticketOf(realm.read, token)) return linkEnded(context);
      const vouched = { ...identityOf(ticket), full_name };
      return signUpFormPage(context, vouched, { refusal: error, status: error.status });
    }
  },
});

/** Invalid if the sign-in method has been disabled meanwhile. */
function ticketOf(reader: Reader, token: string): Ticket | undefined {
  const ticket = isDeactivated(reader) ? undefined : findTicket(reader, NEW_MEMBER, token);
  return ticket && methodNamed(reader, identityOf(ticket).method) ? ticket : undefined;
}

const identityOf = (ticket: Ticket) => ticket.payload as VerifiedTicket;

function signUpFormPage(
  context: SignInContext,
  { email, full_name, loginRedirect }: VerifiedTicket,
  options: PageOptions = {},
): Response {
  const { name } = context.realm.read.settings;
  const { translate, translateHtml } = translatorOf(context);
  const address = markup`<code>${email}</code>`;
  const body = (
    csrf: Html,
  ) => markup`<p>${translateHtml("create-account-with", { name, email: address })}</p>
<form method="post">
${csrf}
<label for="full_name">${translate("your-name")}</label>
<input id="full_name" name="full_name" required maxlength="${FULL_NAME_LENGTH_MAX}"
  autocomplete="name" value="${full_name}" autofocus>
<button type="submit">${translate("join")}</button>
</form>`;
  return formPage(context, translate("join-name", { name }), body, {
    ...options,
    illustration: "joining",
    schemes: schemesOf(loginRedirect),
  });
}

function linkEnded(context: Pick<SignInContext, "realm" | "request">): Response {
  const { translate } = translatorOf(context);
  const body = markup`<p>${translate("link-used")}</p>
${firstButton("/login/", translate("sign-in-again"))}`;
  return page(context, translate("link-expired"), body, REMOVED);
}
