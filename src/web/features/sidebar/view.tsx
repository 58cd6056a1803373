// The sidebar: views, direct messages, and channels with the topics of the open one.
import type { TargetedKeyboardEvent } from "preact";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { subscribe, getState } from "../../store/store.ts";
import { view } from "../../store/address.ts";
import { runCommand } from "../../ui/keys/commands.ts";
import { afterNextFrame } from "../../ui/loading/scheduling.ts";
import { Icon } from "../../ui/icon.tsx";
import { BlankField, BlankFoot, BlankRows } from "../../ui/loading/blank.tsx";
import { lazyAfterFirstView, lazy } from "../../ui/loading/lazy.tsx";
import { t } from "../../words/words.ts";
import { openMenuBeside } from "../lists/menu-opener.ts";
import { pointerHandlers } from "../lists/stable-order.ts";
import { Channels } from "./channels.tsx";
import { closeDrawer, isDrawerOpen } from "./drawer-state.ts";
import { Conversations } from "./directs.tsx";
import { goToKey, isFiltering } from "./filtering.ts";
import { OrganizationMark } from "../organization/icon.tsx";
import { Views } from "./views.tsx";

const Foot = lazyAfterFirstView(async () => (await import("./foot.tsx")).Foot, BlankFoot);
const Edge = lazyAfterFirstView(async () => (await import("./width.tsx")).ResizeHandle);
const Filter = lazy(async () => (await import("./filter.tsx")).Filter, BlankField);
const Found = lazy(async () => (await import("./filter.tsx")).FilterResults, BlankRows);

/** The sidebar is rendered after the first messages are displayed. */
const isDrawn = signal(false);

export function Sidebar() {
  useEffect(() => void afterNextFrame().then(() => (isDrawn.value = true)), []);
  // Navigation closes the drawer.
  useEffect(
    () =>
      view.subscribe(() => {
        isDrawerOpen.value = false;
      }),
    [],
  );
  return (
    <>
      <nav class="sidebar" aria-label={t("places")} onKeyDown={onKeyDown} {...pointerHandlers}>
        {isDrawn.value && <SidebarContent />}
      </nav>
      {isDrawerOpen.value && <div class="sidebar-backdrop" onClick={closeDrawer} />}
    </>
  );
}

function SidebarContent() {
  return (
    <>
      <div class="sidebar-top">
        <Organization />
        <GoTo />
        {isFiltering.value && <Filter />}
      </div>
      <div class="sidebar-scroll" data-parts="">
        {!isFiltering.value && <Views />}
        <div class="sidebar-list">
          {isFiltering.value ? (
            <Found />
          ) : (
            <>
              <Conversations />
              <Channels />
            </>
          )}
        </div>
      </div>
      <Foot />
      <Edge />
    </>
  );
}

const openMain = (anchor: Element, name: string): Promise<void> =>
  openMenuBeside(anchor, import("./menu.ts"), (menu, box) => menu.openMainMenu(box, name));

function Organization() {
  subscribe("realm");
  const { fields } = getState().organization;
  const name = String(fields["realm_name"] ?? "");
  const logo = (kind: "logo" | "night_logo") =>
    fields[`realm_${kind}_source`] === "U" && fields[`realm_${kind}_url`];
  const [day, night] = [logo("logo"), logo("night_logo")];
  return (
    <button
      class="sidebar-organization"
      type="button"
      aria-haspopup="menu"
      onClick={({ currentTarget }) => void openMain(currentTarget, name)}
    >
      {day ? (
        <>
          <img class="sidebar-logo" src={String(day)} alt={name} />
          {night && <img class="sidebar-logo" data-night="" src={String(night)} alt={name} />}
        </>
      ) : (
        <>
          <OrganizationMark />
          <bdi class="t">{name}</bdi>
        </>
      )}
      <Icon name="down" size={16} />
    </button>
  );
}

function GoTo() {
  return (
    <button class="sidebar-search" type="button" onClick={() => runCommand("palette")}>
      <Icon name="search" size={16} />
      {t("go-to")}
      <kbd>{goToKey}</kbd>
    </button>
  );
}

/** Arrow keys move between rows, as in any list. */
function onKeyDown(event: TargetedKeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const { currentTarget, target } = event;
  if (target instanceof Element && target.getAttribute("role") === "separator") return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>(".sidebar-row")];
  const index = rows.findIndex((row) => row === document.activeElement);
  const next = rows[index === -1 ? 0 : index + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
