// Moves a channel or folder in the sidebar, by keys and from its menu.
import type { MenuItem } from "../../ui/menu.tsx";
import { announce } from "../../ui/live-region.ts";
import { t } from "../../words/words.ts";
import type { SortPosition } from "./order-actions.ts";

export const UP_KEY = "Mod+Shift+ArrowUp";
export const DOWN_KEY = "Mod+Shift+ArrowDown";

/** Moves by one position, and announces the new one. Returns false at the ends. */
export function moveBy(spot: SortPosition | undefined, direction: 1 | -1, name: string): boolean {
  const to = (spot?.at ?? 0) + direction;
  if (!spot || to < 0 || to >= spot.count) return false;
  spot.moveTo(to);
  announce(t("moved-in-sidebar", { name, place: to + 1, count: spot.count }));
  return true;
}

export function moveItems(spot: SortPosition | undefined, name: string): MenuItem[] {
  if (!spot) return [];
  const item = (direction: 1 | -1): MenuItem => ({
    label: t(direction < 0 ? "sidebar-up" : "sidebar-down"),
    icon: direction < 0 ? "up" : "down",
    keys: direction < 0 ? UP_KEY : DOWN_KEY,
    run: () => void moveBy(spot, direction, name),
  });
  return [...(spot.at > 0 ? [item(-1)] : []), ...(spot.at < spot.count - 1 ? [item(1)] : [])];
}
