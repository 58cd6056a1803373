// Settings of the organization's profile, announcements and visibility, one row each.
import { ownValue } from "../../../../text/input/own-value.ts";
import {
  JITSI_URL_LENGTH_MAX,
  REALM_DESCRIPTION_LENGTH_MAX,
  REALM_NAME_LENGTH_MAX,
} from "../../../../features/realm/rules.ts";
import { LANGUAGES } from "../../../../features/settings/language-rules.ts";
import { option, textOption } from "../../settings/rows.ts";
import { choice, onOff, type OrganizationSection } from "./kinds.ts";
import { UI_LANGUAGES } from "../../../words/words.ts";

const PREVIEW_PIXELS = [100, 150, 200] as const;

export const PROFILE: readonly OrganizationSection[] = [
  {
    textKey: "org-identity",
    rows: [
      {
        name: "name",
        textKey: "name",
        control: { kind: "text", max: REALM_NAME_LENGTH_MAX },
      },
      {
        name: "description",
        textKey: "description",
        hint: "org-description-hint",
        control: { kind: "text", max: REALM_DESCRIPTION_LENGTH_MAX, isLong: true },
      },
      {
        name: "org_type",
        textKey: "org-type",
        control: choice(
          option(0, "org-type-unspecified"),
          option(10, "org-type-business"),
          option(20, "org-type-open-source"),
          option(30, "org-type-education-nonprofit"),
          option(35, "org-type-education"),
          option(40, "org-type-research"),
          option(50, "org-type-event"),
          option(60, "org-type-nonprofit"),
          option(70, "org-type-government"),
          option(80, "org-type-political"),
          option(90, "org-type-community"),
          option(100, "org-type-personal"),
          option(1000, "org-type-other"),
        ),
      },
      {
        name: "default_language",
        textKey: "language",
        hint: "org-language-hint",
        control: choice(
          ...UI_LANGUAGES.map((code) => textOption(code, ownValue(LANGUAGES, code) ?? code)),
        ),
      },
    ],
  },
  {
    textKey: "org-announcements",
    rows: [
      {
        name: "new_stream_announcements_stream_id",
        textKey: "org-announce-channels",
        control: { kind: "channel" },
      },
      {
        name: "signup_announcements_stream_id",
        textKey: "org-announce-users",
        control: { kind: "channel" },
      },
      {
        name: "send_channel_events_messages",
        textKey: "org-channel-events",
        hint: "org-channel-events-hint",
        control: onOff,
      },
    ],
  },
  {
    textKey: "org-public-access",
    rows: [
      {
        name: "enable_spectator_access",
        textKey: "org-spectators",
        hint: "org-spectators-hint",
        control: onOff,
      },
      {
        name: "allow_search_engines",
        textKey: "org-search-engines",
        hint: "org-search-engines-hint",
        control: onOff,
      },
      {
        name: "enable_read_receipts",
        textKey: "org-receipts",
        hint: "org-receipts-hint",
        control: onOff,
      },
    ],
  },
  {
    textKey: "org-calls",
    rows: [
      {
        name: "video_chat_provider",
        textKey: "org-calls-with",
        hint: "org-calls-hint",
        control: choice(option(0, "org-calls-none"), textOption(1, "Jitsi Meet")),
      },
      {
        name: "jitsi_server_url",
        textKey: "org-jitsi",
        hint: "org-jitsi-hint",
        control: { kind: "text", max: JITSI_URL_LENGTH_MAX },
      },
    ],
  },
  {
    textKey: "org-guests",
    rows: [
      { name: "enable_guest_user_indicator", textKey: "org-guest-mark", control: onOff },
      { name: "enable_guest_user_dm_warning", textKey: "org-guest-warning", control: onOff },
    ],
  },
  {
    textKey: "org-other-apps",
    rows: [
      {
        name: "media_preview_size",
        textKey: "org-preview-size",
        hint: "org-other-apps-hint",
        control: choice(...PREVIEW_PIXELS.map((pixels) => textOption(pixels, `${pixels} px`))),
      },
    ],
  },
];
