// On narrow screens, the sidebar is a drawer above the sheet.
import { signal } from "@preact/signals";

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
