// Channels in the sidebar, pinned and by folder.
import type { ChangeKey } from "../../contract/change-keys.ts";
import { addressOf, sheetView } from "../../store/address.ts";
import { isTexts, deviceSetting } from "../../device-storage.ts";
import { subscribe, getState } from "../../store/store.ts";
import { setColor } from "../../ui/colored.tsx";
import { RowBoundary } from "../../ui/loading/boundary.tsx";
import { Count } from "../../ui/count.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { View } from "../../views.ts";
import { t } from "../../words/words.ts";
import { channelHome } from "../channels/home-selectors.ts";
import type { KnownChannel } from "../channels/state.ts";
import { barOf } from "../conversation/bar/selectors.ts";
import { sidebarSections, type SidebarSection, sectionName } from "./selectors.ts";
import { operandOf, openChannel, useComputedValue, Topics, TopicRows } from "./topics.tsx";
import { isShown } from "./views.tsx";
import { channelMenu, type RowMenu } from "../menus/menus.ts";
import { LazyHeadingButtons, LazyRowMenuButton } from "./lazy-buttons.tsx";

const closed = deviceSetting<string[]>("rail-closed", [], isTexts);

export function Channels() {
  subscribe("channels", "folders", "settings");
  return (
    <>
      {sidebarSections(getState()).map((section) => (
        <SectionOfChannels key={section.key} section={section} />
      ))}
      <a
        class="sidebar-row"
        href={addressOf(ALL_CHANNELS)}
        data-muted=""
        aria-current={isShown(addressOf(ALL_CHANNELS)) ? "page" : undefined}
      >
        <Icon name="list" size={18} />
        <bdi class="t">{t("browse-channels")}</bdi>
      </a>
    </>
  );
}

function SectionOfChannels({ section }: { section: SidebarSection }) {
  const { key, channels } = section;
  const isClosed = closed.value.includes(key);
  const toggle = () => {
    const others = closed.value.filter((closedKey) => closedKey !== key);
    closed.value = isClosed ? others : [...others, key];
  };
  const open = openChannel();
  const visible = isClosed ? channels.filter(({ row }) => row.stream_id === open) : channels;
  return (
    <>
      <div class="sidebar-head">
        <h2>
          <button type="button" aria-expanded={!isClosed} onClick={toggle}>
            <bdi>{sectionName(section)}</bdi>
            {isClosed && <Icon name="right" size={16} />}
          </button>
        </h2>
        <LazyHeadingButtons section={section} />
      </div>
      {visible.length > 0 && (
        <ul class="row-list">
          {visible.map((channel) => (
            <RowBoundary key={channel.row.stream_id} variant="sidebar-row">
              <ChannelRow channel={channel} />
            </RowBoundary>
          ))}
        </ul>
      )}
    </>
  );
}

const ALL_CHANNELS: View = { kind: "page", page: "channels", path: ["all"] };

const COUNT_POLICY = { all: 1, none: 3 } as const;

const POLICY = "web_stream_unreads_count_display_policy";

const keysOf = (stream_id: number): readonly ChangeKey[] => [
  `channel:${stream_id}`,
  `unread:channel/${stream_id}`,
  `setting:${POLICY}`,
];

export function ChannelRow({
  channel: { row },
  topics,
}: {
  channel: KnownChannel;
  /** Topics that match the filter; replaces the usual selection. */
  topics?: readonly string[];
}) {
  const { stream_id } = row;
  const keys = keysOf(stream_id);
  subscribe(...keys);
  const { unread, settings } = getState();
  const count = unread.channels.get(stream_id);
  const counting = settings.settings[POLICY];
  const address = useComputedValue(() => {
    subscribe(...keys);
    // Updated when the user goes elsewhere, so that nothing moves under the pointer.
    void sheetView.value;
    return addressOf(channelHome(stream_id));
  });
  const onMenu: RowMenu = (target) => void channelMenu(target, stream_id);
  const words = barOf({ stream_id, topic: "" });
  const isMuted = row.is_muted === true;
  const isFaint = isMuted && !count?.shown;
  const countDisplayed = (isFaint ? count?.muted : count?.shown) ?? 0;
  const isOpen = useComputedValue(() => openChannel() === stream_id);
  const isHere =
    isOpen &&
    sheetView.value.kind === "messages" &&
    operandOf(sheetView.value, "topic") === undefined;
  return (
    <li data-c="" ref={(node) => setColor(node, row.color)}>
      <a
        class="sidebar-row"
        href={address}
        data-unread={(count?.shown ?? 0) > 0 ? "" : undefined}
        data-muted={isMuted ? "" : undefined}
        aria-current={isHere ? "page" : undefined}
        onContextMenu={onMenu}
      >
        <Icon name={words.icon} size={18} class="ch" />
        <bdi class="t">{row.name}</bdi>
        <Count
          count={countDisplayed}
          mentions={count?.mentions ?? 0}
          isMuted={isFaint}
          isDot={counting === COUNT_POLICY.none || (isFaint && counting !== COUNT_POLICY.all)}
        />
      </a>
      <LazyRowMenuButton name={row.name} open={onMenu} />
      {topics ? (
        topics.length > 0 && <TopicRows stream_id={stream_id} topics={topics} />
      ) : (
        <>{isOpen && <Topics stream_id={stream_id} />}</>
      )}
    </li>
  );
}
