// An icon of the sprite.
import type { IconName } from "../content/icon-names.ts";

declare const SKEIN_ICONS: string;

/** Designed for 20 pixels; displayed at 18 in rows and toolbars, and at 16 in fields. */
export function Icon({
  name,
  size = 20,
  class: ownClass = "",
}: {
  name: IconName;
  size?: 16 | 18 | 20;
  class?: string;
}) {
  const sized = size === 20 ? "i" : `i i-${size}`;
  return (
    <svg class={ownClass === "" ? sized : `${sized} ${ownClass}`} aria-hidden="true">
      <use href={`${SKEIN_ICONS}#i-${name}`} />
    </svg>
  );
}
