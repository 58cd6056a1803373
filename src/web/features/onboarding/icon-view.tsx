// The icon of the organization.
import { t } from "../../words/words.ts";
import { OrganizationMark } from "../organization/icon.tsx";
import { OwnPicture, sendFile } from "../settings/own/picture.tsx";

export function OrganizationIcon() {
  return (
    <div class="onboarding-picture">
      <OrganizationMark />
      <OwnPicture
        label={t("onboarding-picture")}
        text={t("onboarding-picture")}
        send={(file) => sendFile("POST", "/realm/icon", {}, file)}
      />
    </div>
  );
}
