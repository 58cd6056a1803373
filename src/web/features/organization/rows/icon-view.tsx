// The picture of the organization: shown beside its name, and on the page where people sign in.
import { removeIcon } from "../../../api/organization-calls.ts";
import { sync } from "../../../here.ts";
import { keyed, now } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { say } from "../../../words/words.ts";
import { isAdministrator } from "../may.ts";
import { Refusal, useSending } from "../../settings/form.tsx";
import { OrganizationLogos } from "./logo-view.tsx";
import { OwnPicture, sendFile } from "../../settings/own/picture.tsx";

const UPLOADED = "U";
const PIXELS = 72;

export function OrganizationPictures() {
  return (
    <>
      <OrganizationIcon />
      <OrganizationLogos />
    </>
  );
}

function OrganizationIcon() {
  keyed("realm:icon_url", "realm:icon_source");
  const { fields } = now().organization;
  const isOwn = fields["realm_icon_source"] === UPLOADED;
  const may = isAdministrator();
  const { refusal, send } = useSending();
  if (!isOwn && !may) return null;
  return (
    <section class="settings-picture">
      <h3>{say("org-icon")}</h3>
      {isOwn && (
        <img
          class="org-icon"
          src={String(fields["realm_icon_url"])}
          alt=""
          width={PIXELS}
          height={PIXELS}
        />
      )}
      {may && (
        <OwnPicture
          label={say("settings-picture-choose")}
          words={say("settings-picture-choose")}
          send={(file) => sendFile("POST", "/realm/icon", {}, file)}
        />
      )}
      {may && isOwn && (
        <Button onClick={() => void send(() => removeIcon(sync, {}))}>{say("remove")}</Button>
      )}
      <Refusal words={refusal.value} />
    </section>
  );
}
