// A new password, set on the account page.
import { bool, defaulted, endpoint, text } from "../../endpoint.ts";
import { changePassword } from "../passwords/actions.ts";
import { onAccountPage } from "./account.ts";

export const setNewPassword = endpoint({
  summary: "Change your password",
  tag: "Pages",
  params: {
    old_password: defaulted(text, ""),
    new_password: defaulted(text, ""),
    end_api_keys: defaulted(bool, false),
  },
  run: (context, { old_password, new_password, end_api_keys }) =>
    onAccountPage(context, async () => {
      const { realm, user, session } = context;
      const kept = { session_id: session?.session_id, end_api_keys };
      await changePassword(realm, user, old_password, new_password, kept);
    }),
});
