// Whether the server sends email; if not, the client does not mention it.
import { getState } from "../../store/store.ts";

/** Cached data of older servers lacks this field. */
export const sendsMail = (): boolean =>
  getState().organization.fields["server_sends_mail"] !== false;
