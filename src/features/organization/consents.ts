// Lists the users who consent to including their private data in exports.
import Type from "typebox";
import { list } from "../../contract/shapes/value-types.ts";
import { endpoint } from "../../endpoint.ts";
import { everyone } from "../people/everyone-wire.ts";
import { userSetting } from "../settings/rules.ts";

/** Lists the users with their consent, without bots. */
export const getConsents = endpoint({
  summary: "List who consents to exports of private data",
  tag: "Organization",
  params: {},
  answer: Type.Object({
    export_consents: list(
      Type.Object({
        user_id: Type.Integer(),
        consented: Type.Boolean(),
        email_address_visibility: Type.Integer(),
      }),
    ),
  }),
  run: ({ realm: { read } }) => {
    const people = everyone(read).filter((user) => user.is_active && user.bot_type === null);
    const export_consents = people.map((user) => ({
      user_id: user.user_id,
      consented: userSetting(user, "allow_private_data_export") as boolean,
      email_address_visibility: userSetting(user, "email_address_visibility") as number,
    }));
    return { export_consents };
  },
});
