// The icon of the organization.
import { t } from "../../words/words.ts";
import { Mark } from "../organization/icon.tsx";
import { OwnPicture, sendFile } from "../settings/own/picture.tsx";

export function OrganizationIcon() {
  return (
    <div class="founding-picture">
      <Mark />
      <OwnPicture
        label={t("founding-picture")}
        words={t("founding-picture")}
        send={(file) => sendFile("POST", "/realm/icon", {}, file)}
      />
    </div>
  );
}
