// The wide picture of the organization, by day and by night, in the place of its mark and name.
import { removeLogo } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { say } from "../../../words/words.ts";
import { isAdministrator } from "../may.ts";
import { Refusal, useSending } from "../../settings/form.tsx";
import { PictureButton, sendFile } from "../../settings/own/picture.tsx";

const UPLOADED = "U";

export function OrganizationLogos() {
  keyed("realm");
  if (!isAdministrator()) return null;
  return (
    <>
      <Logo night={false} />
      <Logo night />
    </>
  );
}

function Logo({ night }: { night: boolean }) {
  keyed("realm");
  const { fields } = now().organization;
  const name = night ? "night_logo" : "logo";
  const isOwn = fields[`realm_${name}_source`] === UPLOADED;
  const { refusal, send } = useSending();
  const title = say(night ? "org-logo-night" : "org-logo");
  return (
    <section class="settings-picture">
      <h3>{title}</h3>
      <p class="hint">{say(night ? "org-logo-night-hint" : "org-logo-hint")}</p>
      {isOwn && (
        <span class="org-logo" data-night={night ? "" : undefined}>
          <img src={String(fields[`realm_${name}_url`])} alt="" />
        </span>
      )}
      <PictureButton
        words={say("settings-picture-choose")}
        label={`${title}: ${say("settings-picture-choose")}`}
        choose={(file) => void send(() => sendFile("POST", "/realm/logo", { night }, file))}
      />
      {isOwn && (
        <Button
          aria-label={`${title}: ${say("remove")}`}
          onClick={() => void send(() => removeLogo(sync, { night }))}
        >
          {say("remove")}
        </Button>
      )}
      <Refusal words={refusal.value} />
    </section>
  );
}
