// The width of the sidebar, and on narrow screens, where it is a drawer, whether it is open.
import { signal } from "@preact/signals";
import { deviceSetting, isNumber } from "../../device-storage.ts";

export const SIDEBAR_PIXELS = 272;
/** In pixels; stored on the device. */
export const sidebarWidth = deviceSetting("rail-width", SIDEBAR_PIXELS, isNumber);

export const isDrawerOpen = signal(false);
let from: Element | null = null;

/** Moves the focus into the drawer, and back when it is closed. */
export function openDrawer(): void {
  from = document.activeElement;
  isDrawerOpen.value = true;
  requestAnimationFrame(() => {
    const sidebar = document.querySelector(".sidebar");
    sidebar?.querySelector<HTMLElement>(".sidebar-row[aria-current], .sidebar-row")?.focus();
  });
}

export function closeDrawer(): void {
  isDrawerOpen.value = false;
  if (from instanceof HTMLElement && from.isConnected) from.focus({ preventScroll: true });
}
