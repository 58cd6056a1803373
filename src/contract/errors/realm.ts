// Errors about the organization, its settings and its files.
import { Refusal, badRequest, unauthorized } from "./general.ts";

// the organization
export const alreadySetUp = () => badRequest("An organization is already set up here.");
export const realmNameInvalid = () =>
  badRequest("The name of an organization must have 1 to 40 characters.");
export const serverNotReady = () =>
  new Refusal("SERVER_NOT_READY", "The server is not ready.", {}, 500);

// linkifiers, playgrounds
/** The message is that of the first field; `errors` has all of them by field. */
export const fieldsInvalid = (errors: Readonly<Record<string, readonly string[]>>) =>
  badRequest(Object.values(errors)[0]![0]!, { errors });
export const linkifierNotFound = () => badRequest("Linkifier not found.");
export const linkifiersDoubled = () =>
  badRequest("The ordered list must not contain duplicated linkifiers");
export const linkifiersIncomplete = () =>
  badRequest("The ordered list must enumerate all existing linkifiers exactly once");
export const playgroundNotFound = () => badRequest("Invalid playground");

// profile fields
export const profileFieldNotFound = (id: number) => badRequest(`Field id ${id} not found.`);
export const profileFieldFixed = () => badRequest("Default custom field cannot be updated.");
export const profileFieldInvalid = (reason: string) => badRequest(reason);
export const profileLinkInvalid = (name: string) => badRequest(`${name} is not a URL`);
export const profileFieldNotEditable = () =>
  badRequest("You are not allowed to change this field. Contact an administrator to update it.");

// navigation views, onboarding
export const viewNotFound = () =>
  new Refusal("BAD_REQUEST", "Navigation view does not exist.", {}, 404);
export const viewExists = () => badRequest("Navigation view already exists.");
export const builtInViewNamed = () => badRequest("Built-in views cannot have a custom name.");
export const viewNameInvalid = () => badRequest("Custom views must have a valid name.");
export const onboardingStepUnknown = (step: string) =>
  badRequest(`Unknown onboarding_step: ${step}`);

// the organization's settings, its domains, its deactivation
export const demoOrganizationRequired = () => badRequest("Must be a demo organization.");
export const noAuthenticationLeft = () =>
  badRequest("At least one authentication method must be enabled.");
export const authenticationMethodInvalid = (name: string, valid: readonly string[]) =>
  badRequest(
    `Invalid authentication method: ${name}. ` +
      `Valid methods are: [${valid.map((method) => `'${method}'`).join(", ")}]`,
  );
export const languageInvalid = (language: string) => badRequest(`Invalid language '${language}'`);
export const choiceInvalid = (name: string, value: number) =>
  badRequest(`Invalid ${name} ${value}`);
export const notAllowedType = (name: string) => badRequest(`${name} is not an allowed_type`);
export const domainInvalid = (reason: string) => badRequest(`Invalid domain: ${reason}`);
export const domainTaken = (domain: string) =>
  badRequest(`The domain ${domain} is already a part of your organization.`);
export const domainNotFound = (domain: string) =>
  badRequest(`No entry found for domain ${domain}.`);
export const emailNotAllowed = (email: string) =>
  badRequest(`Email '${email}' not allowed in this organization`);
export const emailDisposable = () =>
  badRequest("Disposable email addresses are not allowed in this organization");
export const emailWithPlus = () => badRequest("Email addresses containing + are not allowed.");
export const clientTooOld = () => badRequest("Client is too old");
export const summariesUnavailable = () => badRequest("AI features are not enabled on this server.");
export const callsUnavailable = (provider: string) =>
  badRequest(`${provider} is not configured on this server.`);
export const deletionTooSoon = (days: number) =>
  badRequest(`Data deletion time must be at least ${days} days in the future.`);
export const deletionTooLate = (days: number) =>
  badRequest(`Data deletion time must be at most ${days} days in the future.`);
export const deletionStarted = () => badRequest("The data of this organization is being deleted.");
export const backupsNotSet = () => badRequest("The server's operator has not configured backups.");
export const backupUnderWay = () => badRequest("A backup is already running.");
export const exportByOperator = () =>
  badRequest("Please request a manual export from the server's operator.");
export const exportNotFound = () => badRequest("Invalid data export ID");
export const exportDeleted = () => badRequest("Export already deleted");
export const exportFailed = () => badRequest("Export failed, nothing to delete");
export const exportPending = () => badRequest("Export still in progress");
export const exportsTooMany = () => badRequest("Exceeded rate limit.");
export const personExportPending = () => badRequest("An export of your data is already running.");
export const personExportTooSoon = () =>
  badRequest("You can export your data once a day. Try again tomorrow.");
export const personExportNotReady = () =>
  new Refusal("BAD_REQUEST", "There is no export of your data to download.", {}, 404);
export const importRefused = (message: string) => badRequest(message);
export const importBusy = () => badRequest("An import is running. Wait until it is complete.");
export const importUploadExists = () =>
  badRequest("An archive has already been uploaded. Delete it first.");
export const importUploadMissing = () =>
  new Refusal("BAD_REQUEST", "No archive has been uploaded.", {}, 404);
export const importUploadIncomplete = () => badRequest("The upload of the archive is incomplete.");
export const importUploadBusy = () =>
  badRequest("Another request is adding to the uploaded archive. Wait until it is complete.");
export const importArchiveTooLarge = (gib: number) =>
  badRequest(`An archive can have at most ${gib} GiB. Import it on the server: skein import run`);
export const importPieceTooLarge = () => badRequest("The archive has more bytes than announced.");
export const importOffsetWrong = (received: number) =>
  new Refusal("BAD_REQUEST", "The offset is not the end of the upload.", { received }, 409);
export const importWithoutSpace = (needed_mib: number, free_mib: number) =>
  badRequest(
    `The server has ${free_mib} MiB of free space, but ${needed_mib} MiB are needed to import ` +
      "this archive.",
  );
export const importArchiveReplaced = () =>
  new Refusal("BAD_REQUEST", "The archive was replaced meanwhile. Reload the page.", {}, 409);
export const importUserUnknown = () => badRequest("The archive has no user with this id.");
export const importNotPlanned = () =>
  badRequest("The archive has not been checked. Request its plan first.");
export const importOldUrlInvalid = () =>
  badRequest("Enter the URL of the old server, such as https://chat.example.com.");
export const importReportMissing = () =>
  new Refusal("BAD_REQUEST", "There is no report of an import.", {}, 404);
export const exportWithoutConsent = () =>
  badRequest(
    "Make sure at least one Organization Owner is consenting to the export " +
      "or contact the server's operator for help.",
  );
export const exportNotReadable = () =>
  badRequest(
    "Make sure at least one Organization Owner allows other Administrators to see their email " +
      "address or contact the server's operator for help.",
  );
export const organizationUnknown = () => badRequest("There is no organization at this address.");
export const addressesTooMany = (max: number) =>
  badRequest(`Please enter at most ${max} email addresses.`);
export const realmNotDeactivated = () => badRequest("This organization is not deactivated.");
const REALM_CLOSED = "This organization has been deactivated";
export const realmDeactivated = () => unauthorized(REALM_CLOSED);
export const signInRealmDeactivated = () => new Refusal("REALM_DEACTIVATED", REALM_CLOSED, {}, 401);

// files, images, custom emoji
export const fileMissing = () => badRequest("You must specify a file to upload");
export const filesTooMany = () => badRequest("You may only upload one file at a time");
export const fileTooLarge = (mib: number) =>
  badRequest(`File is larger than this server's configured maximum upload size (${mib} MiB).`);
export const uploadQuotaReached = () =>
  new Refusal(
    "REALM_UPLOAD_QUOTA",
    "Upload would exceed your organization's upload quota.",
    {},
    413,
  );
export const attachmentNotFound = () => badRequest("Invalid attachment");
export const fileNotFound = () => new Refusal("BAD_REQUEST", "File not found", {}, 404);
export const temporaryLinkInvalid = () => badRequest("Invalid token");
export const temporaryNameInvalid = () => badRequest("Invalid filename");
export const pictureNotSingle = (label: string) =>
  badRequest(`You must upload exactly one ${label}.`);
export const pictureTooLarge = (mib: number) =>
  badRequest(`Uploaded file is larger than the allowed limit of ${mib} MiB`);
export const badImage = () =>
  new Refusal("BAD_IMAGE", "The file is not an image, or its format is not supported.");
export const imageTooLarge = () => new Refusal("BAD_IMAGE", "The image has too many pixels.");
export const avatarChangesDisabled = () =>
  badRequest("Avatar changes are disabled in this organization.");
export const customEmojiNameInvalid = () => badRequest("Invalid custom emoji name.");
export const customEmojiDeactivated = () => badRequest("This custom emoji has been deactivated.");
export const customEmojiNameTaken = () =>
  badRequest("A custom emoji with this name already exists.").withField("name");
export const customEmojiOverrides = () =>
  badRequest("Only administrators can override default emoji.").withField("name");
export const customEmojiNameMalformed = () =>
  badRequest(
    "Emoji names must contain only lowercase English letters, digits, spaces, dashes, " +
      "and underscores.",
  ).withField("name");
export const customEmojiNameEnds = () =>
  badRequest("Emoji names must end with either a letter or digit.").withField("name");
export const customEmojiNotFound = (name: string) =>
  new Refusal("BAD_REQUEST", `Emoji '${name}' does not exist`, {}, 404);
export const customEmojiNotOwn = () =>
  badRequest("Must be an organization administrator or emoji author");

// resumable uploads, whose errors have the form that tus requires
export const tusRefused = (status: number, message: string, headers: Record<string, string> = {}) =>
  new Refusal("BAD_REQUEST", message, { message }, status, {
    "Tus-Resumable": "1.0.0",
    ...headers,
  });
