// Whether the server sends mail: where it does not, nothing promises any.
import { now } from "../../live.ts";

/** Cached data of older servers lacks this field. */
export const sendsMail = (): boolean => now().organization.fields["server_sends_mail"] !== false;
