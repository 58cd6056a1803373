// The places that are open to everyone: channels, and the topics of the one that is open.
import { useEffect } from "preact/hooks";
import { addressOf, view } from "../../address.ts";
import { keyed, known } from "../../live.ts";
import { say } from "../../words/words.ts";
import { ChannelRow } from "../rail/channels.tsx";
import { closeDrawer, isDrawerOpen } from "../rail/drawer.ts";
import { Mark } from "../rail/mark.tsx";
import { openChannels } from "./places.ts";
import { SignIn } from "./sign-in.tsx";

export function VisitRail() {
  keyed("realm", "channels");
  useEffect(
    () =>
      view.subscribe(() => {
        isDrawerOpen.value = false;
      }),
    [],
  );
  const state = known()!;
  return (
    <>
      <nav
        class="rail"
        aria-label={say("places")}
        // Menus of channels and topics are for members.
        onContextMenuCapture={(event) => event.stopPropagation()}
      >
        <div class="rail-top">
          <a class="rail-org" href={addressOf({ kind: "home" })}>
            <Mark />
            <bdi class="t">{String(state.organization.fields["realm_name"] ?? "")}</bdi>
          </a>
        </div>
        <div class="rail-scroll">
          <div class="rail-head">
            <h2>{say("open-channels")}</h2>
          </div>
          <ul class="row-list">
            {openChannels(state).map((channel) => (
              <ChannelRow key={channel.row.stream_id} channel={channel} />
            ))}
          </ul>
        </div>
        <div class="rail-foot">
          <SignIn isWide isQuiet />
        </div>
      </nav>
      {isDrawerOpen.value && <div class="rail-veil" onClick={closeDrawer} />}
    </>
  );
}
