// Slash commands that change settings.
import Type from "typebox";
import { slashCommandUnknown, slashMissing } from "../../contract/errors/people.ts";
import { endpoint, text } from "../../endpoint.ts";
import { changeSetting } from "../settings/change/actions.ts";
import type { SettingName, Value } from "../settings/rules.ts";

interface Change {
  name: SettingName;
  value: Value;
  msg: string;
}

const DARK: Change = { name: "color_scheme", value: 2, msg: "Switched to the dark theme." };
const LIGHT: Change = { name: "color_scheme", value: 3, msg: "Switched to the light theme." };

/** null: the command only checks whether the server responds. */
const COMMANDS: Readonly<Record<string, Change | null>> = {
  "/ping": null,
  "/dark": DARK,
  "/night": DARK,
  "/light": LIGHT,
  "/day": LIGHT,
  "/fluid-width": {
    name: "fluid_layout_width",
    value: true,
    msg: "Messages now use the full width of the window.",
  },
  "/fixed-width": {
    name: "fluid_layout_width",
    value: false,
    msg: "Messages now have a fixed width.",
  },
};

export const postSlashCommand = endpoint({
  summary: "Run a slash command",
  tag: "Messages",
  params: { command: text },
  answer: Type.Object({ msg: Type.Optional(Type.String()) }),
  async run({ realm, user }, { command }) {
    if (!command.startsWith("/")) throw slashMissing();
    const change = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (change === undefined) throw slashCommandUnknown(command);
    if (change === null) return {};
    const { name, value, msg } = change;
    await realm.write((tx) => changeSetting(tx, user.user_id, name, value));
    return { msg };
  },
});
