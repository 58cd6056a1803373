// A field for selecting a channel for announcements and the like, or none.
import { subscribe, getState } from "../../../store/store.ts";
import { t } from "../../../words/words.ts";
import type { Picked } from "../../picker/selectors.ts";
import { Picker } from "../../picker/picker.tsx";
import { NOWHERE } from "../../../../features/realm/rules.ts";
import { describedBy } from "../../settings/setting-frame.tsx";
import { changeOrganizationSetting, refusals } from "./actions.ts";
import type { Control, OrganizationRow } from "./kinds.ts";

interface ChannelFieldProps {
  row: OrganizationRow;
  control: Control & { kind: "channel" };
  value: unknown;
  isDisabled: boolean;
}

export function ChannelField({
  row: { name, textKey },
  control,
  value,
  isDisabled,
}: ChannelFieldProps) {
  subscribe("channels");
  const picked: Picked[] =
    typeof value === "number" && value !== NOWHERE ? [{ kind: "channel", id: value }] : [];
  const isFit = ({ id }: Picked) =>
    !control.isPrivate || getState().channels.channels.get(id)?.row.invite_only === true;
  return (
    <Picker
      id={`setting-${name}`}
      label={t(textKey)}
      isLabelled
      placeholder={t("org-no-channel")}
      picked={picked}
      kinds={["channel"]}
      canBePicked={isFit}
      disabled={isDisabled}
      describedBy={describedBy(name)}
      isWrong={refusals.errorOf(name) !== undefined}
      // A new channel replaces the old one.
      onChange={(all) => void changeOrganizationSetting(name, all.at(-1)?.id ?? NOWHERE)}
    />
  );
}
