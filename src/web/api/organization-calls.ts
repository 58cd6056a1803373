// Calls of the organization pages, loaded when these pages open.
import type { patchDefaults } from "../../features/accounts/default-settings.ts";
import type { deleteUser, restoreUser } from "../../features/accounts/activation.ts";
import type { updateUser } from "../../features/accounts/changes.ts";
import type { postTestWelcome } from "../../features/invitations/welcome.ts";
import type { getAudit } from "../../features/audit/list.ts";
import type {
  patchDefaultGroup,
  patchDefaultGroupChannels,
  postDefaultGroup,
  removeDefaultGroup,
} from "../../features/channels/default-groups/actions.ts";
import type {
  deleteDefaultChannel,
  postDefaultChannel,
} from "../../features/channels/manage/update.ts";
import type {
  deleteExport,
  getExports,
  postExport,
} from "../../features/moving/realm-export/actions.ts";
import type { deleteCustomEmoji } from "../../features/emoji/actions.ts";
import type {
  deleteInvitation,
  deleteInvitationLink,
  getInvitations,
  resendInvitation,
} from "../../features/invitations/actions.ts";
import type { getLocalNetwork } from "../../features/invitations/local-network.ts";
import type { postInvitationLink, postInvitations } from "../../features/invitations/invite.ts";
import type {
  patchLinkifier,
  patchLinkifierOrder,
  postLinkifier,
  removeLinkifier,
} from "../../features/linkifiers/actions.ts";
import type { patchRealm } from "../../features/organization/change.ts";
import type { getConsents } from "../../features/organization/consents.ts";
import type { postRealmDeactivation } from "../../features/organization/deactivate.ts";
import type { deleteDomain, patchDomain, postDomain } from "../../features/organization/domains.ts";
import type { deleteIcon, deleteLogo } from "../../features/organization/pictures.ts";
import type {
  patchProfileField,
  patchProfileFieldOrder,
  postProfileField,
  removeProfileField,
} from "../../features/organization/profile-fields.ts";
import type { deletePlayground, postPlayground } from "../../features/playgrounds/actions.ts";
import type { TypedEndpoint } from "../../endpoint.ts";
import { type AnswerOf, call } from "./call.ts";

export const changeRealm = call<typeof patchRealm>("PATCH", "/realm", "send", true);
export const changeDefaults = call<typeof patchDefaults>(
  "PATCH",
  "/realm/user_settings_defaults",
  "send",
  true,
);
export const testWelcomeMessage = call<typeof postTestWelcome>(
  "POST",
  "/realm/test_welcome_bot_custom_message",
  "send",
);
export const removeIcon = call<typeof deleteIcon>("DELETE", "/realm/icon", "send");
export const removeLogo = call<typeof deleteLogo>("DELETE", "/realm/logo", "send");

export const changePerson = call<typeof updateUser>("PATCH", "/users/{user_id}", "send", true);
export const deactivatePerson = call<typeof deleteUser>("DELETE", "/users/{user_id}", "send");
export const reactivatePerson = call<typeof restoreUser>(
  "POST",
  "/users/{user_id}/reactivate",
  "send",
);

export const fetchInvitations = call<typeof getInvitations>("GET", "/invites", "view");
export const inviteByMail = call<typeof postInvitations>("POST", "/invites", "send");
export type LocalNetwork = AnswerOf<typeof getLocalNetwork>;
export const fetchLocalNetwork = call<typeof getLocalNetwork>(
  "GET",
  "/invites/local-network/",
  "view",
);
export const createInvitationLink = call<typeof postInvitationLink>(
  "POST",
  "/invites/multiuse",
  "send",
);
export const revokeInvitation = call<typeof deleteInvitation>(
  "DELETE",
  "/invites/{invite_id}",
  "send",
);
export const revokeLink = call<typeof deleteInvitationLink>(
  "DELETE",
  "/invites/multiuse/{invite_id}",
  "send",
);
export const resend = call<typeof resendInvitation>("POST", "/invites/{invite_id}/resend", "send");

export const removeEmoji = call<typeof deleteCustomEmoji>(
  "DELETE",
  "/realm/emoji/{emoji_name}",
  "send",
);
export const addLinkifier = call<typeof postLinkifier>("POST", "/realm/filters", "send");
export const editLinkifier = call<typeof patchLinkifier>(
  "PATCH",
  "/realm/filters/{filter_id}",
  "send",
  true,
);
export const dropLinkifier = call<typeof removeLinkifier>(
  "DELETE",
  "/realm/filters/{filter_id}",
  "send",
);
export const orderLinkifiers = call<typeof patchLinkifierOrder>(
  "PATCH",
  "/realm/linkifiers",
  "send",
  true,
);
export const addPlayground = call<typeof postPlayground>("POST", "/realm/playgrounds", "send");
export const dropPlayground = call<typeof deletePlayground>(
  "DELETE",
  "/realm/playgrounds/{playground_id}",
  "send",
);
export const addField = call<typeof postProfileField>("POST", "/realm/profile_fields", "send");
export const editField = call<typeof patchProfileField>(
  "PATCH",
  "/realm/profile_fields/{field_id}",
  "send",
  true,
);
export const dropField = call<typeof removeProfileField>(
  "DELETE",
  "/realm/profile_fields/{field_id}",
  "send",
);
export const orderFields = call<typeof patchProfileFieldOrder>(
  "PATCH",
  "/realm/profile_fields",
  "send",
  true,
);
export const addDefaultChannel = call<typeof postDefaultChannel>(
  "POST",
  "/default_streams",
  "send",
);
export const dropDefault = call<typeof deleteDefaultChannel>("DELETE", "/default_streams", "send");
export const createDefaultGroup = call<typeof postDefaultGroup>(
  "POST",
  "/default_stream_groups/create",
  "send",
);
export const editDefaultGroup = call<typeof patchDefaultGroup>(
  "PATCH",
  "/default_stream_groups/{group_id}",
  "send",
  true,
);
export const changeDefaultGroup = call<typeof patchDefaultGroupChannels>(
  "PATCH",
  "/default_stream_groups/{group_id}/streams",
  "send",
);
export const dropDefaultGroup = call<typeof removeDefaultGroup>(
  "DELETE",
  "/default_stream_groups/{group_id}",
  "send",
);
export const addDomain = call<typeof postDomain>("POST", "/realm/domains", "send");
export const editDomain = call<typeof patchDomain>(
  "PATCH",
  "/realm/domains/{domain}",
  "send",
  true,
);
export const dropDomain = call<typeof deleteDomain>("DELETE", "/realm/domains/{domain}", "send");

export const fetchAudit = call<typeof getAudit>("GET", "/audit/", "view");
export const fetchExports = call<typeof getExports>("GET", "/export/realm", "view");
export type ShownExport = AnswerOf<typeof getExports>["exports"][number];
/**
 * The kinds of exports that administrators can request. Only the operator can create the others.
 */
export type ExportKind = Exclude<ShownExport["export_type"], "full_without_consent">;
export const requestExport = call<typeof postExport>("POST", "/export/realm", "send");
export const removeExport = call<typeof deleteExport>(
  "DELETE",
  "/export/realm/{export_id}",
  "send",
);
export const fetchConsents = call<typeof getConsents>("GET", "/export/realm/consents", "view");
export const deactivateOrganization = call<typeof postRealmDeactivation>(
  "POST",
  "/realm/deactivate",
  "send",
);
/** An endpoint whose types stay on the server: without parameters, and with this response. */
type WithoutParameters<A> = TypedEndpoint<Record<never, never>, A>;

/** The state of the server's backups. */
export interface BackupStatus {
  /** null: not configured, or not visible to this user. */
  readonly place: string | null;
  /** null: the operator has not configured backups. */
  readonly time: string | null;
  readonly is_running: boolean;
  readonly last: { readonly id: string; readonly at: number } | null;
  readonly failure: { readonly at: number; readonly words: string | null } | null;
  readonly drill: {
    readonly at: number;
    readonly words: string | null;
    readonly is_good: boolean | null;
  } | null;
  /** null: the server cannot list them. */
  readonly sets:
    | readonly {
        readonly id: string;
        readonly created: number | null;
        readonly bytes: number | null;
        readonly is_whole: boolean;
        readonly is_encrypted: boolean;
      }[]
    | null;
}

export interface DoctorReport {
  readonly checks: readonly {
    readonly id: string;
    readonly state: "ok" | "warn" | "fail";
    readonly message: string;
    readonly remedy: string | null;
  }[];
}

export const fetchBackups = call<WithoutParameters<BackupStatus>>("GET", "/backups/", "view");
export const beginBackup = call<WithoutParameters<unknown>>("POST", "/backups/", "send");
export const fetchDoctorReport = call<WithoutParameters<DoctorReport>>("GET", "/doctor/", "view");
