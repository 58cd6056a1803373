// The page on which somebody makes an account whose address another server has vouched for.
import { Refusal } from "../../contract/errors/general.ts";
import { signInExpired } from "../../contract/errors/people.ts";
import { defaulted, openEndpoint, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Ticket } from "../../schema/records-people.ts";
import { checkCsrf, CSRF_FIELD } from "../../server/asker/session.ts";
import { csrfParam, formPage, type PageOptions, schemesOf } from "../pages/form.ts";
import { firstButton, page } from "../pages/page.ts";
import { isClosed } from "../realm/access.ts";
import { methodNamed } from "../realm/methods-wire.ts";
import { FULL_NAME_LENGTH_MAX } from "../rights/rules.ts";
import { findTicket, useUp } from "../secrets/tickets.ts";
import { speechOf } from "../speech/choose.ts";
import { type Html, markup } from "../speech/markup.ts";
import { enter, joinVouched, NEWCOMER, type SignInContext, type Vouched } from "./complete.ts";

const GONE = 410;

export const showNewcomer = openEndpoint({
  summary: "The form of who comes for the first time from a provider",
  tag: "Pages",
  params: { token: text },
  run: (context, { token }) => {
    const ticket = ticketOf(context.realm.read, token);
    return ticket ? newcomerPage(context, vouchedBy(ticket)) : linkEnded(context);
  },
});

export const admitNewcomer = openEndpoint({
  summary: "Join after signing in at a provider",
  tag: "Pages",
  params: { token: text, full_name: defaulted(text, ""), ...csrfParam },
  run: async (context, { token, full_name, [CSRF_FIELD]: csrf }) => {
    const { realm, request } = context;
    const ticket = ticketOf(realm.read, token);
    if (!ticket) return linkEnded(context);
    const { email, method, username, loginRedirect } = vouchedBy(ticket);
    try {
      checkCsrf(realm, request, csrf);
      const join = (tx: Writer) => {
        if (!ticketOf(tx, token)) throw signInExpired();
        useUp(tx, ticket);
        return joinVouched(tx, { email, full_name }, loginRedirect);
      };
      return await enter(context, (tx) => join(tx).user_id, { method, username }, loginRedirect);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!ticketOf(realm.read, token)) return linkEnded(context);
      const vouched = { ...vouchedBy(ticket), full_name };
      return newcomerPage(context, vouched, { refusal: error, status: error.status });
    }
  },
});

/** Invalid if the sign-in method has been disabled meanwhile. */
function ticketOf(reader: Reader, token: string): Ticket | undefined {
  const ticket = isClosed(reader) ? undefined : findTicket(reader, NEWCOMER, token);
  return ticket && methodNamed(reader, vouchedBy(ticket).method) ? ticket : undefined;
}

const vouchedBy = (ticket: Ticket) => ticket.payload as Vouched;

function newcomerPage(
  context: SignInContext,
  { email, full_name, loginRedirect }: Vouched,
  options: PageOptions = {},
): Response {
  const { name } = context.realm.read.settings;
  const { say, tell } = speechOf(context);
  const address = markup`<code>${email}</code>`;
  const body = (csrf: Html) => markup`<p>${tell("make-account-with", { name, email: address })}</p>
<form method="post">
${csrf}
<label for="full_name">${say("your-name")}</label>
<input id="full_name" name="full_name" required maxlength="${FULL_NAME_LENGTH_MAX}"
  autocomplete="name" value="${full_name}" autofocus>
<button type="submit">${say("join")}</button>
</form>`;
  return formPage(context, say("join-name", { name }), body, {
    ...options,
    saying: "joining",
    schemes: schemesOf(loginRedirect),
  });
}

function linkEnded(context: Pick<SignInContext, "realm" | "request">): Response {
  const { say } = speechOf(context);
  const body = markup`<p>${say("link-used")}</p>
${firstButton("/login/", say("sign-in-again"))}`;
  return page(context, say("link-ended"), body, GONE);
}
