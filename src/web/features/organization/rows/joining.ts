// Settings about joining, greeting, and what users may change about themselves.
import { WELCOME_TEXT_LENGTH_MAX } from "../../../../features/realm/rules.ts";
import { option, textOption } from "../../settings/rows.ts";
import { choice, onOff, type OrganizationSection } from "./kinds.ts";

export const JOINING_SECTIONS: readonly OrganizationSection[] = [
  {
    textKey: "org-who-can-join",
    rows: [
      {
        name: "invite_required",
        textKey: "org-invite-required",
        hint: "org-invite-required-hint",
        control: onOff,
      },
      {
        name: "emails_restricted_to_domains",
        textKey: "org-restricted",
        hint: "org-restricted-hint",
        control: onOff,
      },
      {
        name: "disallow_disposable_email_addresses",
        textKey: "org-disposable",
        hint: "org-disposable-hint",
        control: onOff,
      },
      {
        name: "waiting_period_threshold",
        textKey: "org-waiting",
        hint: "org-waiting-hint",
        control: {
          kind: "limit",
          unit: "days",
          each: 1,
          options: [3, 7, 14, 30, 90],
          none: { textKey: "org-waiting-none", value: 0 },
        },
      },
    ],
  },
  {
    textKey: "org-uninvited",
    rows: [
      {
        name: "newcomer_hours",
        textKey: "org-new-member-time",
        hint: "org-new-member-hint",
        control: {
          kind: "limit",
          unit: "days",
          each: 24,
          options: [24, 72, 168, 720],
          none: { textKey: "org-new-member-none", value: 0 },
        },
      },
      {
        name: "newcomer_messages_per_hour",
        textKey: "org-new-member-messages",
        control: choice(...[5, 10, 30, 60, 120].map((count) => textOption(count, `${count}`))),
      },
      {
        name: "newcomer_links_per_message",
        textKey: "org-new-member-links",
        control: choice(...[0, 1, 2, 5, 10].map((count) => textOption(count, `${count}`))),
      },
      {
        name: "newcomer_conversations",
        textKey: "org-new-member-conversations",
        control: choice(...[0, 2, 5, 10, 20].map((count) => textOption(count, `${count}`))),
      },
    ],
  },
  {
    textKey: "org-greeting",
    rows: [
      {
        name: "send_welcome_emails",
        textKey: "org-welcome-mail",
        hint: "org-welcome-mail-hint",
        control: onOff,
      },
      {
        name: "welcome_message_custom_text",
        textKey: "org-welcome-text",
        hint: "org-welcome-text-hint",
        control: { kind: "text", max: WELCOME_TEXT_LENGTH_MAX, isLong: true },
      },
      {
        name: "default_avatar_source",
        textKey: "org-avatars",
        hint: "org-avatars-hint",
        control: choice(option("J", "org-avatars-drawn"), option("G", "org-avatars-gravatar")),
      },
    ],
  },
  {
    textKey: "org-user-identity",
    rows: [
      {
        name: "require_unique_names",
        textKey: "org-unique-names",
        control: onOff,
      },
      {
        name: "name_changes_disabled",
        textKey: "org-names-fixed",
        hint: "org-fixed-hint",
        control: onOff,
      },
      {
        name: "email_changes_disabled",
        textKey: "org-addresses-fixed",
        control: onOff,
      },
      {
        name: "avatar_changes_disabled",
        textKey: "org-pictures-fixed",
        control: onOff,
      },
    ],
  },
];
