// The icon of the organization.
import { t } from "../../words/words.ts";
import { OrganizationMark } from "../organization/icon.tsx";
import { OwnPicture, sendFile } from "../settings/own/picture.tsx";

export function OrganizationIcon() {
  return (
    <div class="founding-picture">
      <OrganizationMark />
      <OwnPicture
        label={t("founding-picture")}
        words={t("founding-picture")}
        send={(file) => sendFile("POST", "/realm/icon", {}, file)}
      />
    </div>
  );
}
