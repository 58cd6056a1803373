// The page on which somebody makes an account whose address another server has vouched for.
import { Refusal } from "../../contract/errors/general.ts";
import { signInExpired } from "../../contract/errors/people.ts";
import { defaulted, openEndpoint, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Ticket } from "../../schema/records-people.ts";
import { checkCsrf, CSRF_FIELD } from "../../server/asker/session.ts";
import { csrfParam, formPage, type PageOptions, schemesOf } from "../pages/form.ts";
import { type Html, markup, page } from "../pages/page.ts";
import { isClosed } from "../realm/access.ts";
import { methodNamed } from "../realm/methods-wire.ts";
import { FULL_NAME_LENGTH_MAX } from "../rights/rules.ts";
import { findTicket, useUp } from "../secrets/tickets.ts";
import { enter, joinVouched, NEWCOMER, type SignInContext, type Vouched } from "./complete.ts";

const GONE = 410;

export const showNewcomer = openEndpoint({
  summary: "The form of who comes for the first time from a provider",
  tag: "Pages",
  params: { token: text },
  run: (context, { token }) => {
    const ticket = ticketOf(context.realm.read, token);
    return ticket ? newcomerPage(context, vouchedBy(ticket)) : linkEnded();
  },
});

export const admitNewcomer = openEndpoint({
  summary: "Join after signing in at a provider",
  tag: "Pages",
  params: { token: text, full_name: defaulted(text, ""), ...csrfParam },
  run: async (context, { token, full_name, [CSRF_FIELD]: csrf }) => {
    const { realm, request } = context;
    const ticket = ticketOf(realm.read, token);
    if (!ticket) return linkEnded();
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
      if (!ticketOf(realm.read, token)) return linkEnded();
      const { message: refusal, status } = error;
      return newcomerPage(context, { ...vouchedBy(ticket), full_name }, { refusal, status });
    }
  },
});

/** Nobody vouches any more where the way has been switched off meanwhile. */
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
  const body = (csrf: Html) => markup`<p>Make yourself an account in ${name}, with the address
<code>${email}</code>.</p>
<form method="post">
${csrf}
<label for="full_name">Your name</label>
<input id="full_name" name="full_name" required maxlength="${FULL_NAME_LENGTH_MAX}"
  autocomplete="name" value="${full_name}">
<button type="submit">Join</button>
</form>`;
  return formPage(context, `Join ${name}`, body, {
    ...options,
    saying: "joining",
    schemes: schemesOf(loginRedirect),
  });
}

function linkEnded(): Response {
  const body = markup`<p>It was used, or it has expired.</p>
<a class="button first" href="/login/">Sign in once more</a>`;
  return page("This link no longer works", body, GONE);
}
