// The words of welcome that an administrator has written, as newcomers will see them.
import { endpoint, textOf } from "../../endpoint.ts";
import { welcomeMessageEmpty } from "../../errors-people.ts";
import { sendWelcome } from "./join.ts";
import { WELCOME_LENGTH_MAX } from "./rules.ts";

export const postTestWelcome = endpoint({
  params: { welcome_message_custom_text: textOf({ max: WELCOME_LENGTH_MAX }) },
  run: ({ realm, user }, { welcome_message_custom_text: words }) => {
    if (words.trim() === "") throw welcomeMessageEmpty();
    return realm.write((tx) => ({ message_id: sendWelcome(tx, user, words) }));
  },
});
