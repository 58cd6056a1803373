// Whether the server sends mail: where it does not, nothing promises any.
import { now } from "../../live.ts";

/** What was kept of a server that did not say so yet tells nothing of it. */
export const sendsMail = (): boolean => now().organization.fields["server_sends_mail"] !== false;
