// The invitation dialog: by email, or with a link that can be copied or revoked.
import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { ADMINISTRATOR, MEMBER } from "../../../../contract/roles.ts";
import { inviteByMail, createInvitationLink } from "../../../api/organization-calls.ts";
import { ApiError } from "../../../contract/api-error.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Segments } from "../../../ui/form/segments.tsx";
import { closeLayer, openLayer, useCloseLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { t } from "../../../words/words.ts";
import { sendsMail } from "../selectors.ts";
import { Denied } from "../../picker/permission.tsx";
import { Identity, type Proof, useIdentity } from "../../settings/identity.tsx";
import { errorText, fieldsOf } from "../../../ui/form/save-errors.ts";
import {
  requestOf,
  initialChannels,
  PERMISSION,
  DEFAULT_MINUTES,
  type InvitationMethod,
  availableMethods,
} from "./draft.ts";
import { InvitationFields } from "./fields.tsx";
import { LinkPane, LinksByAddress } from "./link-view.tsx";

const ID = "invite";

export function openInvite(onClose?: () => void): void {
  openLayer(ID, <Invite />, onClose);
}

/** The created invitations, with links if the server sends no email. */
interface CreatedInvitations {
  link?: string;
  emailLinks?: readonly { email: string; invite_link: string }[];
}

function useDraft(first: InvitationMethod) {
  return {
    way: useSignal<InvitationMethod>(first),
    addresses: useSignal(""),
    isNotified: useSignal(true),
    role: useSignal(MEMBER),
    minutes: useSignal<number | null>(DEFAULT_MINUTES),
    channels: useSignal(initialChannels(MEMBER)),
  };
}
type InvitationDraft = ReturnType<typeof useDraft>;

function Invite() {
  subscribe("realm:name");
  const methods = availableMethods();
  const draft = useDraft(methods[0] ?? "mail");
  const refusal = useSignal<unknown>(undefined);
  const created = useSignal<CreatedInvitations>({});
  const { link, emailLinks } = created.value;
  const isDone = link !== undefined || emailLinks !== undefined;
  const isOpen = isDone || methods.length > 0;
  const send = async (proof: Proof) => {
    refusal.value = undefined;
    try {
      created.value = await createInvitations(draft, proof);
    } catch (error) {
      // An error about the password shows beside its field.
      if (!fieldsOf(error).has("password")) refusal.value = error;
      const { invite_links }: Partial<InvitationErrors> =
        error instanceof ApiError ? error.body : {};
      if (invite_links) created.value = { emailLinks: invite_links };
      throw error;
    }
  };
  const close = useCloseLayer(ID);
  const finish = () => {
    if (created.value.link !== undefined || created.value.emailLinks) return;
    close();
    showToast({ text: t("invite-sent") });
  };
  const isNeeded = draft.role.value <= ADMINISTRATOR;
  const identifying = useIdentity({ action: send, onDone: finish, isNeeded });
  const { isBusy, isReady, submit, fields } = identifying;
  const name = String(getState().organization.fields["realm_name"] ?? "");
  return (
    <Dialog
      id={ID}
      isAllowed={isOpen}
      isExplained
      title={t("invite-to", { name })}
      onSubmit={() => (isDone ? closeLayer(ID) : submit())}
      foot={isOpen && <Foot draft={draft} isDone={isDone} isBusy={isBusy || !isReady} />}
    >
      {methods.length === 0 && (
        <Denied textKey="invite-not-allowed" to={Object.values(PERMISSION)} />
      )}
      {link !== undefined && <LinkPane link={link} until={endOf(draft.minutes.value)} />}
      {emailLinks && <EmailedLinks emailLinks={emailLinks} />}
      {!isDone && methods.length > 0 && (
        <InvitationForm methods={methods} draft={draft} refusal={refusal.value} />
      )}
      {!isDone && isNeeded && (
        <Identity
          fields={refusal.value === undefined ? fields : { ...fields, other: "" }}
          isFocused={false}
        />
      )}
      {(isDone || draft.way.value === "link") && <Reasons refusal={refusal.value} />}
    </Dialog>
  );
}

interface InvitationFootProps {
  draft: InvitationDraft;
  isDone: boolean;
  isBusy: boolean;
}

function Foot({ draft: { way, addresses }, isDone, isBusy }: InvitationFootProps) {
  if (isDone) return <Button type="submit">{t("invite-done")}</Button>;
  const isMissing = way.value === "mail" && addresses.value.trim() === "";
  return (
    <Button kind="primary" type="submit" disabled={isBusy || isMissing}>
      {t(way.value === "mail" ? "invite-send" : "invite-make-link")}
    </Button>
  );
}

interface AskingProps {
  methods: readonly InvitationMethod[];
  draft: InvitationDraft;
  refusal: unknown;
}

function InvitationForm({ methods, draft, refusal }: AskingProps) {
  const { way, addresses, isNotified } = draft;
  return (
    <div class="form">
      {methods.length > 1 && <MethodChoice methods={methods} method={way} />}
      {way.value === "mail" && <Addresses addresses={addresses} refusal={refusal} />}
      <InvitationFields {...draft} />
      {way.value === "mail" && (
        <label class="org-check">
          <input
            type="checkbox"
            checked={isNotified.value}
            onChange={({ currentTarget }) => (isNotified.value = currentTarget.checked)}
          />
          {t("invite-notify-me")}
        </label>
      )}
    </div>
  );
}

interface InvitationErrors {
  invite_links: readonly { email: string; invite_link: string }[];
  errors: readonly (readonly [email: string, reason: string, isOff: boolean])[];
}

async function createInvitations(
  draft: InvitationDraft,
  proof: Proof,
): Promise<CreatedInvitations> {
  const { way, addresses, isNotified, role, minutes, channels } = draft;
  const request = { role: role.value, minutes: minutes.value, channels: channels.value };
  const params = { ...requestOf(request), notify_referrer_on_join: isNotified.value, ...proof };
  if (way.value === "link") return { link: (await createInvitationLink(sync, params)).invite_link };
  const { invite_links } = await inviteByMail(sync, { ...params, invitee_emails: addresses.value });
  return invite_links ? { emailLinks: invite_links } : {};
}

const endOf = (minutes: number | null) =>
  minutes === null ? null : Math.floor(Date.now() / 1000) + minutes * 60;

function MethodChoice({
  methods,
  method: way,
}: {
  methods: readonly InvitationMethod[];
  method: Signal<InvitationMethod>;
}) {
  const byMail = sendsMail() ? "invite-by-mail" : "invite-addresses";
  return (
    <Segments
      label={t("invite-method")}
      all={methods}
      selected={way.value}
      nameOf={(method) => t(method === "link" ? "invite-by-link" : byMail)}
      choose={(method) => (way.value = method)}
    />
  );
}

function Addresses({ addresses, refusal }: { addresses: Signal<string>; refusal: unknown }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div>
      <label class="label" for={id}>
        {t("invite-addresses")}
      </label>
      <span class="field" data-wrong={refusal === undefined ? undefined : ""}>
        <textarea
          ref={field}
          id={id}
          rows={3}
          spellcheck={false}
          autocapitalize="off"
          placeholder="ines@example.com, bo@example.com"
          aria-invalid={refusal !== undefined}
          aria-describedby={`${id}-hint ${id}-wrong`}
          value={addresses.value}
          onInput={({ currentTarget }) => (addresses.value = currentTarget.value)}
        />
      </span>
      <p class="hint" id={`${id}-hint`}>
        {t("invite-addresses-hint")} {!sendsMail() && t("invite-no-mail")}
      </p>
      <Reasons id={`${id}-wrong`} refusal={refusal} />
    </div>
  );
}

/** The server's error, with a reason per address. */
function Reasons({ id, refusal }: { id?: string; refusal: unknown }) {
  if (refusal === undefined) return null;
  const { errors = [] }: Partial<InvitationErrors> =
    refusal instanceof ApiError ? refusal.body : {};
  return (
    <div class="settings-refused" role="alert" id={id}>
      <p>{errorText(refusal)}</p>
      <ul>
        {errors.map(([email, reason]) => (
          <li key={email}>
            <bdi>{email}</bdi>: {reason}
          </li>
        ))}
      </ul>
    </div>
  );
}

function EmailedLinks({
  emailLinks,
}: {
  emailLinks: NonNullable<CreatedInvitations["emailLinks"]>;
}) {
  return (
    <>
      <p>{t("invite-no-mail")}</p>
      <LinksByAddress
        links={emailLinks.map(({ email, invite_link }) => ({ email, link: invite_link }))}
      />
    </>
  );
}
