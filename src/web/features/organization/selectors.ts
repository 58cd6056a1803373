// Whether the server sends email; if not, the client does not mention it.
import { now } from "../../store/store.ts";

/** Cached data of older servers lacks this field. */
export const sendsMail = (): boolean => now().organization.fields["server_sends_mail"] !== false;
