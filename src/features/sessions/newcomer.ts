// The page on which somebody makes an account whose address another server has vouched for.
import { defaulted, openEndpoint, text } from "../../endpoint.ts";
import { Refusal } from "../../errors.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Ticket } from "../../records-people.ts";
import { checkCsrf, CSRF_FIELD } from "../../server/session.ts";
import { isClosed } from "../realm/access.ts";
import { type Html, markup, page } from "../realm/page.ts";
import { findTicket, useUp } from "../realm/tickets.ts";
import { FULL_NAME_LENGTH_MAX } from "../users/rules.ts";
import { type Asked, enter, joinVouched, NEWCOMER, type Vouched } from "./complete.ts";
import { csrfParam, formPage, type PageOptions, schemesOf } from "./form.ts";

const GONE = 410;

export const showNewcomer = openEndpoint({
  params: { token: text },
  run: (context, { token }) => {
    const ticket = ticketOf(context.realm.read, token);
    return ticket ? newcomerPage(context, vouchedBy(ticket)) : linkEnded();
  },
});

export const admitNewcomer = openEndpoint({
  params: { token: text, full_name: defaulted(text, ""), ...csrfParam },
  run: async (context, { token, full_name, [CSRF_FIELD]: csrf }) => {
    const { realm, request } = context;
    const ticket = ticketOf(realm.read, token);
    if (!ticket) return linkEnded();
    const { email, method, going } = vouchedBy(ticket);
    try {
      checkCsrf(realm, request, csrf);
      const join = (tx: Writer) => {
        useUp(tx, ticket);
        return joinVouched(tx, { email, full_name }, going);
      };
      return await enter(context, (tx) => join(tx).user_id, method, going);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { message: refusal, status } = error;
      return newcomerPage(context, { ...vouchedBy(ticket), full_name }, { refusal, status });
    }
  },
});

function ticketOf(reader: Reader, token: string): Ticket | undefined {
  return isClosed(reader) ? undefined : findTicket(reader, NEWCOMER, token);
}

const vouchedBy = (ticket: Ticket) => ticket.payload as Vouched;

function newcomerPage(
  context: Asked,
  { email, full_name, going }: Vouched,
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
  return formPage(context, `Join ${name}`, body, { ...options, schemes: schemesOf(going) });
}

function linkEnded(): Response {
  const body = markup`<p>It was used, or it has expired. <a href="/login/">Sign in</a> once
more.</p>`;
  return page("This link no longer works", body, GONE);
}
