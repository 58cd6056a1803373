// Opens the emoji picker, with a surface of its size until its script has loaded.
import type { Box } from "../../ui/box.ts";
import { layers } from "../../ui/layer-state.ts";
import { closeLayer, openLayer } from "../../ui/layers.ts";
import { BlankField, BlankIcon } from "../../ui/loading/blank.tsx";
import { Popover } from "../../ui/popover.tsx";
import { importOrReload } from "../../scripts.ts";
import { t } from "../../words/words.ts";
import { PICKER } from "./picker-layer.ts";
import type { PickerOptions, TakeEmoji } from "./picker.tsx";

const BlankPicker = ({ beside, hasTones }: { beside: Box; hasTones: boolean }) => (
  <Popover id={PICKER} beside={beside} label={t("emoji")} class="emoji-pop">
    <BlankField />
    <div class="emoji-tabs" aria-hidden="true">
      <button type="button" disabled />
    </div>
    <div class="emoji-list" aria-busy="true" />
    <div class="foot">{hasTones && <BlankIcon size="s" />}</div>
  </Popover>
);

export async function openPicker(
  beside: Box,
  take: TakeEmoji,
  options?: PickerOptions,
): Promise<void> {
  openLayer(PICKER, <BlankPicker beside={beside} hasTones={options?.hasTones === true} />);
  try {
    const { showPicker } = await importOrReload(() => import("./picker.tsx"));
    // The user may have closed it meanwhile.
    if (layers.peek().some(({ id }) => id === PICKER)) showPicker(beside, take, options);
  } catch (error) {
    closeLayer(PICKER);
    throw error;
  }
}
