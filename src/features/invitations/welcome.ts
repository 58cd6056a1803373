// The welcome message that an administrator has written, as new users will see it.
import Type from "typebox";
import { welcomeMessageEmpty } from "../../contract/errors/people.ts";
import { endpoint, textOf } from "../../endpoint.ts";
import { sendWelcome } from "../accounts/welcome.ts";
import { WELCOME_LENGTH_MAX } from "./rules.ts";

export const postTestWelcome = endpoint({
  summary: "Send yourself the welcome message of new users",
  tag: "Organization",
  params: { welcome_message_custom_text: textOf({ max: WELCOME_LENGTH_MAX }) },
  answer: Type.Object({ message_id: Type.Integer() }),
  run: ({ realm, user }, { welcome_message_custom_text: text }) => {
    if (text.trim() === "") throw welcomeMessageEmpty();
    return realm.write((tx) => ({ message_id: sendWelcome(tx, user, text) }));
  },
});
