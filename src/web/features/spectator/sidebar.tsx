// The sidebar for spectators: public channels, and the topics of the open one.
import { useEffect } from "preact/hooks";
import { addressOf, view } from "../../store/address.ts";
import { subscribe, getState } from "../../store/store.ts";
import { t } from "../../words/words.ts";
import { ChannelRow } from "../sidebar/channels.tsx";
import { closeDrawer, isDrawerOpen } from "../sidebar/drawer-state.ts";
import { OrganizationMark } from "../organization/icon.tsx";
import { openChannels } from "./public-views.ts";
import { SignIn } from "./sign-in.tsx";

export function SpectatorSidebar() {
  subscribe("realm", "channels");
  useEffect(
    () =>
      view.subscribe(() => {
        isDrawerOpen.value = false;
      }),
    [],
  );
  const state = getState();
  return (
    <>
      <nav
        class="sidebar"
        aria-label={t("places")}
        // Menus of channels and topics are for members.
        onContextMenuCapture={(event) => event.stopPropagation()}
      >
        <div class="sidebar-top">
          <a class="sidebar-organization" href={addressOf({ kind: "home" })}>
            <OrganizationMark />
            <bdi class="t">{String(state.organization.fields["realm_name"] ?? "")}</bdi>
          </a>
        </div>
        <div class="sidebar-scroll">
          <div class="sidebar-head">
            <h2>{t("open-channels")}</h2>
          </div>
          <ul class="row-list">
            {openChannels(state).map((channel) => (
              <ChannelRow key={channel.row.stream_id} channel={channel} />
            ))}
          </ul>
        </div>
        <div class="sidebar-foot">
          <SignIn isWide isQuiet />
        </div>
      </nav>
      {isDrawerOpen.value && <div class="sidebar-backdrop" onClick={closeDrawer} />}
    </>
  );
}
