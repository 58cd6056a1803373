// The organization's wide logo for light and dark schemes, which replaces icon and name.
import { removeLogo } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { t } from "../../../words/words.ts";
import { isAdministrator } from "../permissions.ts";
import { Refusal, useSending } from "../../../ui/form/form.tsx";
import { PictureButton, sendFile } from "../../settings/own/picture.tsx";

const UPLOADED = "U";

export function OrganizationLogos() {
  subscribe("realm");
  if (!isAdministrator()) return null;
  return (
    <>
      <Logo night={false} />
      <Logo night />
    </>
  );
}

function Logo({ night }: { night: boolean }) {
  subscribe("realm");
  const { fields } = getState().organization;
  const name = night ? "night_logo" : "logo";
  const isOwn = fields[`realm_${name}_source`] === UPLOADED;
  const { refusal, send } = useSending();
  const title = t(night ? "org-logo-night" : "org-logo");
  return (
    <section class="settings-picture">
      <h3>{title}</h3>
      <p class="hint">{t(night ? "org-logo-night-hint" : "org-logo-hint")}</p>
      {isOwn && (
        <span class="org-logo" data-night={night ? "" : undefined}>
          <img src={String(fields[`realm_${name}_url`])} alt="" />
        </span>
      )}
      <PictureButton
        text={t("settings-picture-choose")}
        label={`${title}: ${t("settings-picture-choose")}`}
        choose={(file) => void send(() => sendFile("POST", "/realm/logo", { night }, file))}
      />
      {isOwn && (
        <Button
          aria-label={`${title}: ${t("remove")}`}
          onClick={() => void send(() => removeLogo(sync, { night }))}
        >
          {t("remove")}
        </Button>
      )}
      <Refusal text={refusal.value} />
    </section>
  );
}
