// Sets a new password on the account page, and estimates how hard it is to guess.
import Type from "typebox";
import { choice } from "../../contract/shapes/value-types.ts";
import { bool, defaulted, endpoint, text } from "../../endpoint.ts";
import { changePassword, personalTo } from "../passwords/actions.ts";
import { PASSWORD_STRENGTHS } from "../passwords/rules.ts";
import { strengthOf } from "../passwords/strength.ts";
import { handleAccountForm } from "./account.ts";

export const setNewPassword = endpoint({
  summary: "Change your password",
  tag: "Pages",
  params: {
    old_password: defaulted(text, ""),
    new_password: defaulted(text, ""),
    end_api_keys: defaulted(bool, false),
  },
  run: (context, { old_password, new_password, end_api_keys }) =>
    handleAccountForm(context, async () => {
      const { realm, user, session } = context;
      const options = { session_id: session?.session_id, end_api_keys };
      await changePassword(realm, user, old_password, new_password, options);
    }),
});

/** Called while the user types; the text is not stored. */
export const estimateNewPassword = endpoint({
  summary: "Get the strength of a new password",
  tag: "Pages",
  params: { new_password: text },
  answer: Type.Object({ strength: choice(...PASSWORD_STRENGTHS) }),
  run: async ({ realm, user }, { new_password }) => ({
    strength: await strengthOf(new_password, personalTo(realm, user)),
  }),
});
