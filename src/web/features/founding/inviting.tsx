// A link by which others come in, to be handed on or held before a camera.
import { useSignal } from "@preact/signals";
import type { postInvitationLink } from "../../../features/invitations/invite.ts";
import { call } from "../../api/call.ts";
import { sync } from "../../here.ts";
import { Button } from "../../ui/button.tsx";
import { say } from "../../words/words.ts";
import { CopiedLink, LinkWithCode } from "../organization/invitations/link-view.tsx";
import { Refusal, useSending } from "../settings/form.tsx";
import { PartForm, type Part } from "./part.tsx";

const makeLink = call<typeof postInvitationLink, { invite_link: string }>(
  "POST",
  "/invites/multiuse",
  "send",
);

/** Includes the default channels. */
const WITH_CHANNELS = { include_realm_default_subscriptions: true };

export function Inviting({ next }: Part) {
  const link = useSignal("");
  const { refusal, isBusy, send } = useSending();
  const make = () =>
    send(async () => {
      link.value = (await makeLink(sync, WITH_CHANNELS)).invite_link;
    });
  return (
    <PartForm send={next}>
      {link.value === "" ? (
        <Button icon="invite" disabled={isBusy.value} onClick={() => void make()}>
          {say("founding-make-link")}
        </Button>
      ) : (
        <LinkWithCode link={link.value}>
          <CopiedLink label={say("founding-link")} link={link.value} />
        </LinkWithCode>
      )}
      <Refusal words={refusal.value} />
    </PartForm>
  );
}
