// The draft of a new channel, which survives navigation to other pages.
import { signal } from "@preact/signals";
import {
  CHANNEL_PERMISSIONS,
  type ChannelPermission,
} from "../../../../features/rights/permission-rules.ts";
import { getState } from "../../../store/store.ts";
import { settingOf, systemGroup } from "../../groups/audience-selectors.ts";
import type { GroupSetting } from "../../groups/state.ts";
import type { Picked } from "../../picker/selectors.ts";
import { KINDS, type KindName, canCreateKind } from "../permissions.ts";

export interface ChannelDraft {
  name: string;
  description: string;
  kind: KindName;
  folder_id: number | null;
  topics_policy: string;
  message_retention_days: number | null;
  is_default: boolean;
  announce: boolean;
  subscribers: Picked[];
  /** Changed permissions only. */
  rights: Partial<Record<ChannelPermission, GroupSetting>>;
}

export const draft = signal<ChannelDraft | undefined>(undefined);

export function startDraft(): ChannelDraft {
  const state = getState();
  const possible = KINDS.find(({ kind }) => canCreateKind(state, kind));
  const announcements = state.organization.fields["realm_new_stream_announcements_stream_id"];
  return {
    name: "",
    description: "",
    kind: possible?.name ?? "public",
    folder_id: null,
    topics_policy: "inherit",
    message_retention_days: null,
    is_default: false,
    announce: typeof announcements === "number" && announcements > 0,
    subscribers: [{ kind: "person", id: state.people.me }],
    rights: {},
  };
}

/** Default of a setting in a new channel. */
export function initialPermission(name: ChannelPermission): GroupSetting {
  const state = getState();
  const { default_group_name: group } = CHANNEL_PERMISSIONS[name];
  if (group === "channel_creator") return settingOf(state, [state.people.me], []);
  return systemGroup(state, group).id;
}
