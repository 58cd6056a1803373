// The row that sets how close messages and rows are on this device.
import { Segments } from "../../ui/form/segments.tsx";
import { t } from "../../words/words.ts";
import { DENSITIES, density } from "./density.ts";

export function DensityRow() {
  return (
    <div class="settings-row">
      <span class="settings-name" id="setting-density">
        {t("settings-density")}
      </span>
      <p>{t("settings-density-hint")}</p>
      <span class="settings-ctl">
        <Segments
          labelledBy="setting-density"
          all={DENSITIES}
          selected={density.value}
          nameOf={(option) => t(`settings-${option}`)}
          choose={(option) => (density.value = option)}
        />
      </span>
    </div>
  );
}
