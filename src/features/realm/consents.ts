// Who agrees that an export of the organization holds what is private to them.
import { endpoint } from "../../endpoint.ts";
import { userSetting } from "../settings/rules.ts";
import { everyone } from "../users/snapshot.ts";

/** Of the people who are here; bots are not asked. */
export const getConsents = endpoint({
  params: {},
  run: ({ realm: { read } }) => {
    const people = everyone(read).filter((user) => user.is_active && user.bot_type === null);
    const export_consents = people.map((user) => ({
      user_id: user.user_id,
      consented: userSetting(user, "allow_private_data_export"),
      email_address_visibility: userSetting(user, "email_address_visibility"),
    }));
    return { export_consents };
  },
});
