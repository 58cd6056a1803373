// The organization's icon, displayed beside its name and on the sign-in page.
import { removeIcon } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { t } from "../../../words/words.ts";
import { isAdministrator } from "../permissions.ts";
import { Refusal, useSending } from "../../../ui/form/form.tsx";
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
  subscribe("realm:icon_url", "realm:icon_source");
  const { fields } = getState().organization;
  const isOwn = fields["realm_icon_source"] === UPLOADED;
  const canChange = isAdministrator();
  const { refusal, send } = useSending();
  if (!isOwn && !canChange) return null;
  return (
    <section class="settings-picture">
      <h3>{t("org-icon")}</h3>
      {isOwn && (
        <img
          class="org-icon"
          src={String(fields["realm_icon_url"])}
          alt=""
          width={PIXELS}
          height={PIXELS}
        />
      )}
      {canChange && (
        <OwnPicture
          label={t("settings-picture-choose")}
          text={t("settings-picture-choose")}
          send={(file) => sendFile("POST", "/realm/icon", {}, file)}
        />
      )}
      {canChange && isOwn && (
        <Button onClick={() => void send(() => removeIcon(sync, {}))}>{t("remove")}</Button>
      )}
      <Refusal text={refusal.value} />
    </section>
  );
}
