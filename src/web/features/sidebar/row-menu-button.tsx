// The button of a row that opens its menu: shown while the row is hovered or focused.
import { getState } from "../../store/store.ts";
import { Icon } from "../../ui/icon.tsx";
import { t } from "../../words/words.ts";
import type { RowMenu } from "../menus/menus.ts";

export function RowMenuButton({ name, open }: { name: string; open: RowMenu }) {
  // Menus are for members.
  if (getState().people.me === 0) return null;
  const label = t("row-menu", { name });
  return (
    <button
      class="icon-btn sidebar-more"
      data-size="xs"
      type="button"
      aria-haspopup="menu"
      aria-label={label}
      title={t("more")}
      onClick={({ currentTarget }) => open(currentTarget)}
    >
      <Icon name="dots" size={16} />
    </button>
  );
}
