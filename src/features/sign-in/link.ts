// Sign-in with a one-time link that the operator creates on the server's machine.
import { signInLinkGone } from "../../contract/errors/people.ts";
import { DAY_SECONDS } from "../../contract/units.ts";
import { openEndpoint, text } from "../../endpoint.ts";
import type { Reader, Writer } from "../../realm.ts";
import type { Ticket } from "../../schema/records-people.ts";
import type { User } from "../../schema/records.ts";
import { isThisMachine } from "../../server/caller/proxies.ts";
import { checkNavigation } from "../pages/navigation.ts";
import { findTicket, issueTicket, invalidateTicket } from "../secrets/one-time-links.ts";
import { signInVerified, signInErrorPage } from "./complete.ts";

const SIGN_IN_LINK = "sign-in link";
const LINK_SECONDS = DAY_SECONDS;
/** The sign-in method that the session records. */
const METHOD = "link";
const HOME = "/";

/** Anyone who opens the link signs in as this user, so only a command can create it. */
export function signInLink(tx: Writer, { user_id }: User): string {
  const token = issueTicket(tx, SIGN_IN_LINK, { user_id }, LINK_SECONDS);
  return `${tx.config.url}/accounts/login/link/${token}/`;
}

export const signInByLink = openEndpoint({
  summary: "Sign in with a link that works once, on the server's machine",
  tag: "Signing in",
  params: { token: text },
  run: async (context, { token }) => {
    const { realm, request, address, peer } = context;
    checkNavigation(request);
    const isHere = isThisMachine(address) && isThisMachine(peer);
    const accessUser = (tx: Writer) => {
      const ticket = ticketOf(tx, token);
      if (!ticket || !isHere) throw signInLinkGone();
      invalidateTicket(tx, ticket);
      return (ticket.payload as { user_id: number }).user_id;
    };
    try {
      if (!ticketOf(realm.read, token) || !isHere) throw signInLinkGone();
      return await signInVerified(context, accessUser, { method: METHOD }, { next: HOME });
    } catch (error) {
      return signInErrorPage(context, {}, error);
    }
  },
});

const ticketOf = (reader: Reader, token: string): Ticket | undefined =>
  findTicket(reader, SIGN_IN_LINK, token);
