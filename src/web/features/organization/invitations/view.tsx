// Open invitations: showing, resending and revoking them.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  fetchInvitations,
  resend,
  revokeInvitation,
  revokeLink,
} from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { getState, onChange, subscribe } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { openLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { formatBrief } from "../../../words/dates.ts";
import { t } from "../../../words/words.ts";
import { sendsMail } from "../selectors.ts";
import { roleWord } from "../../people/selectors.ts";
import { personOf } from "../../people/state.ts";
import { runWithToast } from "../../../ui/form/save-errors.ts";
import type { Attempt } from "../../settings/setting-frame.tsx";
import { confirmAction } from "../../settings/confirm.tsx";
import { ListRow } from "../content/list-parts.tsx";
import { canInvite } from "./draft.ts";
import { openInvite } from "./dialog.tsx";
import { LinkPane, LinksByAddress } from "./link-view.tsx";

type Invitation = Awaited<ReturnType<typeof fetchInvitations>>["invites"][number];

const INVITATION_LINK_DIALOG = "invitation";

export function InvitationsPage() {
  const all = useSignal<readonly Invitation[] | undefined>(undefined);
  const load = async () => {
    all.value = (await fetchInvitations(sync, {})).invites.toReversed();
  };
  useEffect(() => {
    void runWithToast(load);
    return onChange((changed) => {
      if (!changed || changed.has("invites_changed")) void runWithToast(load);
    });
  }, []);
  return (
    <>
      {canInvite() && (
        <div class="org-top">
          <Button kind="primary" icon="invite" onClick={() => openInvite()}>
            {t("invite-people")}
          </Button>
        </div>
      )}
      {!all.value && <p class="settings-intro">{t("settings-loading")}</p>}
      {all.value?.length === 0 && <p class="empty-note">{t("invite-none-open")}</p>}
      <ul class="settings-list">
        {(all.value ?? []).map((invitation) => (
          <Row
            key={`${invitation.is_multiuse} ${invitation.id}`}
            invitation={invitation}
            sendAgain={load}
          />
        ))}
      </ul>
    </>
  );
}

type InvitationRowProps = { invitation: Invitation; sendAgain: () => Promise<void> };

function Row({ invitation, sendAgain: resend }: InvitationRowProps) {
  const { id, invited_by_user_id, invited, expiry_date, invited_as, is_multiuse } = invitation;
  subscribe("users");
  const name = is_multiuse ? t("invite-link-number", { id }) : invitation.email;
  const inviter = personOf(getState().people, invited_by_user_id)?.full_name ?? t("unknown-user");
  const now = Date.now() / 1000;
  const facts = [
    t(roleWord({ role: invited_as, is_bot: false })),
    t("invite-by", { name: inviter, when: formatBrief(invited, now) }),
    expiry_date === null
      ? t("invite-link-always")
      : t("invite-until", { when: formatBrief(expiry_date, now) }),
  ];
  return (
    <ListRow
      lead={<Icon name={is_multiuse ? "link" : "mail"} size={18} />}
      name={name}
      note={facts.join(" · ")}
      retry={resend}
    >
      {(attempt) => <InvitationActions invitation={invitation} name={name} attempt={attempt} />}
    </ListRow>
  );
}

function InvitationActions({
  invitation,
  name,
  attempt,
}: {
  invitation: Invitation;
  name: string;
  attempt: Attempt;
}) {
  const { id: invite_id, expiry_date, is_multiuse } = invitation;
  return (
    <>
      {typeof invitation.link_url === "string" && (
        <Button
          icon="qr"
          aria-label={t("invite-show-named", { name })}
          onClick={() => showLink(name, invitation.link_url ?? "", expiry_date)}
        >
          {t("invite-show")}
        </Button>
      )}
      {!is_multiuse && (
        <Button
          aria-label={t(sendsMail() ? "invite-resend-named" : "invite-show-named", { name })}
          onClick={() => void attempt(() => sendAgain(invite_id, name))}
        >
          {t(sendsMail() ? "invite-resend" : "invite-show")}
        </Button>
      )}
      <Button
        kind="danger"
        aria-label={t("invite-revoke-named", { name })}
        onClick={() => revoke(invitation, name, attempt)}
      >
        {t("invite-revoke")}
      </Button>
    </>
  );
}

function showLink(title: string, link: string, until: number | null): void {
  openLayer(
    INVITATION_LINK_DIALOG,
    <Dialog id={INVITATION_LINK_DIALOG} title={title}>
      <LinkPane link={link} until={until} />
    </Dialog>,
  );
}

/** If there is no mail server, the user passes on the link. */
async function sendAgain(invite_id: number, email: string): Promise<void> {
  const { invite_link } = await resend(sync, { invite_id });
  if (typeof invite_link !== "string") return void showToast({ text: t("invite-resent") });
  return openLayer(
    INVITATION_LINK_DIALOG,
    <Dialog id={INVITATION_LINK_DIALOG} title={email}>
      <p>{t("invite-no-mail")}</p>
      <LinksByAddress links={[{ email, link: invite_link }]} />
    </Dialog>,
  );
}

function revoke({ id: invite_id, is_multiuse }: Invitation, name: string, attempt: Attempt): void {
  const params = {
    title: t("invite-revoke-confirm", { name }),
    text: t(is_multiuse || !sendsMail() ? "invite-revoke-link-hint" : "invite-revoke-hint"),
    actionLabel: t("invite-revoke"),
  };
  confirmAction(params, () => {
    const call = is_multiuse ? revokeLink : revokeInvitation;
    void attempt(() => call(sync, { invite_id }));
  });
}
