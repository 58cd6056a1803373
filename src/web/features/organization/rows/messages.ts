// Settings about messages: editing, moving, display, retention and notifications.
import { CODE_LANGUAGE_LENGTH_MAX } from "../../../../features/realm/rules.ts";
import { option } from "../../settings/rows.ts";
import { choice, type Limit, onOff, type OrganizationSection } from "./kinds.ts";

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];

const limitOf = (unit: Limit["unit"], ...options: readonly number[]): Limit => {
  const noLimit: Limit["none"] = { textKey: "org-any-time", value: null };
  return { kind: "limit", unit, each: unit === "days" ? DAY : MINUTE, options, none: noLimit };
};

const [BRIEFLY, WEEKS] = [
  limitOf("minutes", 2 * MINUTE, 10 * MINUTE, HOUR, DAY, 7 * DAY),
  limitOf("days", DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY),
];

export const MESSAGES: readonly OrganizationSection[] = [
  {
    textKey: "org-changing",
    rows: [
      {
        name: "allow_message_editing",
        textKey: "org-editing",
        control: onOff,
      },
      {
        name: "message_content_edit_limit_seconds",
        textKey: "org-edit-limit",
        hint: "org-edit-limit-hint",
        control: BRIEFLY,
      },
      {
        name: "message_edit_history_visibility_policy",
        textKey: "org-history",
        control: choice(
          option("all", "org-history-all"),
          option("moves", "org-history-moves"),
          option("none", "none-selected"),
        ),
      },
      {
        name: "message_content_delete_limit_seconds",
        textKey: "org-delete-limit",
        hint: "org-delete-limit-hint",
        control: BRIEFLY,
      },
    ],
  },
  {
    textKey: "topics",
    rows: [
      {
        name: "topics_policy",
        textKey: "org-topics-policy",
        hint: "org-topics-policy-hint",
        control: choice(
          option("allow_empty_topic", "topics-allow"),
          option("disable_empty_topic", "topics-disable"),
        ),
      },
      {
        name: "move_messages_within_stream_limit_seconds",
        textKey: "org-move-topics",
        hint: "org-move-hint",
        control: WEEKS,
      },
      {
        name: "move_messages_between_streams_limit_seconds",
        textKey: "org-move-channels",
        control: WEEKS,
      },
    ],
  },
  {
    textKey: "org-message-display",
    rows: [
      {
        name: "inline_image_preview",
        textKey: "org-images",
        control: onOff,
      },
      {
        name: "inline_url_embed_preview",
        textKey: "org-link-previews",
        hint: "org-link-previews-hint",
        control: onOff,
      },
      {
        name: "keep_picture_metadata",
        textKey: "org-metadata",
        hint: "org-metadata-hint",
        control: onOff,
      },
      {
        name: "default_code_block_language",
        textKey: "org-code-language",
        hint: "org-code-language-hint",
        control: { kind: "text", max: CODE_LANGUAGE_LENGTH_MAX },
      },
    ],
  },
  {
    textKey: "settings-notifications",
    rows: [
      {
        name: "message_content_allowed_in_email_notifications",
        textKey: "org-mail-content",
        hint: "org-mail-content-hint",
        control: onOff,
      },
      {
        name: "require_e2ee_push_notifications",
        textKey: "org-push-sealed",
        hint: "org-push-sealed-hint",
        control: onOff,
      },
    ],
  },
];

export const RETENTION: readonly OrganizationSection[] = [
  {
    textKey: "org-retention",
    rows: [
      {
        name: "message_retention_days",
        textKey: "retention-keep-for",
        hint: "org-retention-hint",
        control: {
          kind: "limit",
          unit: "days",
          each: 1,
          options: [7, 30, 90, 180, 365, 730],
          none: { textKey: "retention-forever", value: -1 },
        },
      },
    ],
  },
];

export const MODERATION: readonly OrganizationSection[] = [
  {
    textKey: "org-reports",
    rows: [
      {
        name: "moderation_request_channel_id",
        textKey: "org-reports-channel",
        hint: "org-reports-channel-hint",
        control: { kind: "channel", isPrivate: true },
      },
    ],
  },
];
