// Appearance and the Enter key: the owner's own settings, and for Enter the default of all.
import { findOrThrow } from "../../content/find-or-throw.ts";
import { changeDefaults } from "../../api/organization-calls.ts";
import { subscribe, getState } from "../../store/store.ts";
import { sync } from "../../sync/session.ts";
import { runWithToast } from "../../ui/form/save-errors.ts";
import { t } from "../../words/words.ts";
import { changeOwnSetting, OWN_SETTINGS_SCOPE } from "../settings/actions.ts";
import { DensityRow } from "../settings/density-view.tsx";
import { PREFERENCES } from "../settings/preferences.ts";
import { SettingRow } from "../settings/row-view.tsx";

const ROWS = PREFERENCES.flatMap(({ rows }) => rows);
const THEME = findOrThrow(ROWS, ({ name }) => name === "color_scheme");

export function Appearance() {
  return (
    <>
      <SettingRow row={THEME} scope={OWN_SETTINGS_SCOPE} />
      <DensityRow />
      <EnterChoices />
    </>
  );
}

const ENTER = [
  [true, "onboarding-enter-sends"],
  [false, "onboarding-enter-line"],
] as const;

/** The choice also becomes the default of new accounts. */
function EnterChoices() {
  subscribe("setting:enter_sends");
  const isOn = getState().settings.settings["enter_sends"] === true;
  const choose = (enter_sends: boolean) => {
    changeOwnSetting("enter_sends", enter_sends);
    void runWithToast(() => changeDefaults(sync, { enter_sends }));
  };
  return (
    <fieldset class="onboarding-enter">
      <legend>{t("onboarding-enter")}</legend>
      <div class="choices">
        {ENTER.map(([value, textKey]) => (
          <label key={textKey} class="choice">
            <input
              class="radio"
              type="radio"
              name="enter"
              checked={isOn === value}
              onChange={() => choose(value)}
            />
            <b>{t(textKey)}</b>
          </label>
        ))}
      </div>
      <p class="hint">{t("onboarding-enter-hint")}</p>
    </fieldset>
  );
}
