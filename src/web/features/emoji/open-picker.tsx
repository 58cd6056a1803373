// Opens the emoji picker, with a surface of its size until its script has loaded.
import type { ComponentChildren } from "preact";
import type { Box } from "../../ui/anchor-box.ts";
import { BlankField, BlankIcon } from "../../ui/loading/blank.tsx";
import { lazyLayer } from "../../ui/loading/lazy-layer.tsx";
import { Popover } from "../../ui/popover.tsx";
import { t } from "../../words/words.ts";
import { PICKER } from "./picker-layer.ts";
import type { PickerOptions, OnPickEmoji } from "./picker.tsx";

interface BlankPickerProps {
  anchor: Box;
  hasTones: boolean;
  children: ComponentChildren;
}

const BlankPicker = ({ anchor, hasTones, children }: BlankPickerProps) => (
  <Popover id={PICKER} anchor={anchor} label={t("emoji")} class="emoji-pop" isFocused>
    <BlankField />
    <div class="emoji-tabs" aria-hidden="true">
      <button type="button" disabled />
    </div>
    <div class="emoji-list">{children}</div>
    <div class="foot">{hasTones && <BlankIcon size="s" />}</div>
  </Popover>
);

const open = lazyLayer(() => import("./picker.tsx"));

export async function openPicker(
  anchor: Box,
  onPick: OnPickEmoji,
  options?: PickerOptions,
): Promise<void> {
  const hasTones = options?.hasTones === true;
  const Surface = ({ children }: { children: ComponentChildren }) => (
    <BlankPicker anchor={anchor} hasTones={hasTones}>
      {children}
    </BlankPicker>
  );
  await open({ id: PICKER, Surface, blank: "" }, ({ showPicker }) =>
    showPicker(anchor, onPick, options),
  );
}
