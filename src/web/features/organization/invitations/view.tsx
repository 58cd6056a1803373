// The invitations that are open: shown again, sent again, taken back.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import {
  fetchInvitations,
  sendAgain,
  withdraw,
  withdrawLink,
} from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { now, onChange } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { openLayer } from "../../../ui/layers.ts";
import { showToast } from "../../../ui/toast.tsx";
import { formatBrief } from "../../../words/dates.ts";
import { say } from "../../../words/words.ts";
import { sendsMail } from "../../notifications/mail.ts";
import { roleWord } from "../../people/profile.ts";
import { personOf } from "../../people/state.ts";
import { attempt } from "../../settings/form.tsx";
import type { Act } from "../../settings/frame.tsx";
import { askSure } from "../../settings/sure.tsx";
import { ListRow } from "../content/parts.tsx";
import { mayInvite } from "./asked.ts";
import { openInvite } from "./dialog.tsx";
import { CopiedLink, LinkPane } from "./link-view.tsx";

type Invitation = Awaited<ReturnType<typeof fetchInvitations>>["invites"][number];

const SHOWN = "invitation";

export function InvitationsPage() {
  const all = useSignal<readonly Invitation[] | undefined>(undefined);
  const load = async () => {
    all.value = (await fetchInvitations(sync, {})).invites.toReversed();
  };
  useEffect(() => {
    void attempt(load);
    return onChange((changed) => {
      if (!changed || changed.has("invites_changed")) void attempt(load);
    });
  }, []);
  return (
    <>
      {mayInvite() && (
        <div class="org-top">
          <Button kind="primary" icon="invite" onClick={() => openInvite()}>
            {say("invite-people")}
          </Button>
        </div>
      )}
      {!all.value && <p class="settings-intro">{say("settings-loading")}</p>}
      {all.value?.length === 0 && <p class="empty-note">{say("invite-none-open")}</p>}
      <ul class="settings-list">
        {(all.value ?? []).map((one) => (
          <Row key={`${one.is_multiuse} ${one.id}`} invitation={one} again={load} />
        ))}
      </ul>
    </>
  );
}

type Shown = { invitation: Invitation; again: () => Promise<void> };

function Row({ invitation, again }: Shown) {
  const { id, invited_by_user_id, invited, expiry_date, invited_as, is_multiuse } = invitation;
  const name = is_multiuse ? say("invite-link-number", { id }) : invitation.email;
  const by = personOf(now().people, invited_by_user_id)?.full_name ?? say("unknown-user");
  const at = Date.now() / 1000;
  const facts = [
    say(roleWord({ role: invited_as, is_bot: false })),
    say("invite-by", { name: by, when: formatBrief(invited, at) }),
    expiry_date === null
      ? say("invite-link-always")
      : say("invite-until", { when: formatBrief(expiry_date, at) }),
  ];
  return (
    <ListRow
      lead={<Icon name={is_multiuse ? "link" : "mail"} size={18} />}
      name={name}
      note={facts.join(" · ")}
      again={again}
    >
      {(act) => <Acts invitation={invitation} name={name} act={act} />}
    </ListRow>
  );
}

function Acts({ invitation, name, act }: { invitation: Invitation; name: string; act: Act }) {
  const { id: invite_id, expiry_date, is_multiuse } = invitation;
  return (
    <>
      {typeof invitation.link_url === "string" && (
        <Button
          icon="qr"
          aria-label={say("invite-show-named", { name })}
          onClick={() => showLink(name, invitation.link_url!, expiry_date)}
        >
          {say("invite-show")}
        </Button>
      )}
      {!is_multiuse && (
        <Button
          aria-label={say(sendsMail() ? "invite-again-named" : "invite-show-named", { name })}
          onClick={() => void act(() => again(invite_id, name))}
        >
          {say(sendsMail() ? "invite-again" : "invite-show")}
        </Button>
      )}
      <Button
        kind="danger"
        aria-label={say("invite-withdraw-named", { name })}
        onClick={() => takeBack(invitation, name, act)}
      >
        {say("invite-withdraw")}
      </Button>
    </>
  );
}

function showLink(title: string, link: string, until: number | null): void {
  openLayer(
    SHOWN,
    <Dialog id={SHOWN} title={title}>
      <LinkPane link={link} until={until} />
    </Dialog>,
  );
}

/** Without a mail server, the user passes on the link. */
async function again(invite_id: number, email: string): Promise<void> {
  const { invite_link } = await sendAgain(sync, { invite_id });
  if (typeof invite_link !== "string") return showToast({ words: say("invite-sent-again") });
  return openLayer(
    SHOWN,
    <Dialog id={SHOWN} title={email}>
      <p>{say("invite-no-mail")}</p>
      <CopiedLink label={email} link={invite_link} isFirst />
    </Dialog>,
  );
}

function takeBack({ id: invite_id, is_multiuse }: Invitation, name: string, act: Act): void {
  const asked = {
    title: say("invite-withdraw-sure", { name }),
    words: say(is_multiuse || !sendsMail() ? "invite-withdraw-link-hint" : "invite-withdraw-hint"),
    act: say("invite-withdraw"),
  };
  askSure(asked, () => {
    const call = is_multiuse ? withdrawLink : withdraw;
    void act(() => call(sync, { invite_id }));
  });
}
