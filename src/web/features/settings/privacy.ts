// Privacy settings, one row each.
import { choice, onOff, option, type SettingsSection } from "./rows.ts";

export const PRIVACY: readonly SettingsSection[] = [
  {
    textKey: "settings-privacy",
    rows: [
      {
        name: "presence_enabled",
        textKey: "settings-presence",
        hint: "settings-presence-hint",
        control: onOff,
      },
      { name: "send_read_receipts", textKey: "settings-receipts", control: onOff },
      {
        name: "send_private_typing_notifications",
        textKey: "settings-typing-direct",
        control: onOff,
      },
      {
        name: "send_stream_typing_notifications",
        textKey: "settings-typing-channel",
        control: onOff,
      },
      { name: "receives_typing_notifications", textKey: "settings-typing-others", control: onOff },
      {
        name: "email_address_visibility",
        textKey: "settings-email-seen",
        control: choice(
          option(1, "everyone"),
          option(2, "settings-seen-members"),
          option(5, "settings-seen-moderators"),
          option(3, "settings-seen-admins"),
          option(4, "nobody"),
        ),
      },
      {
        name: "allow_private_data_export",
        textKey: "settings-export",
        hint: "settings-export-hint",
        control: onOff,
      },
    ],
  },
];
