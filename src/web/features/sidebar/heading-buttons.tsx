// The buttons at the end of a section's heading: what it adds, and its menu.
import { go } from "../../store/address.ts";
import { getState } from "../../store/store.ts";
import { IconButton } from "../../ui/button.tsx";
import { t } from "../../words/words.ts";
import { listView, newChannelView } from "../channels/route-rules.ts";
import { can } from "../groups/permissions.ts";
import { openNewDirect } from "../people/new-direct.tsx";
import { openSectionMenu } from "./section-menu.ts";
import { sectionName, type SidebarSection } from "./selectors.ts";

/** Whether the user may create channels of any kind. The page lets the user choose the kind. */
function canMake(): boolean {
  const state = getState();
  const kinds = ["public", "private", "web_public"] as const;
  return kinds.some((kind) => can(state, `can_create_${kind}_channel_group`));
}

/** `section`: undefined for the heading of direct messages. */
export function HeadingButtons({ section }: { section?: SidebarSection }) {
  if (!section)
    return (
      <IconButton icon="plus" size="xs" label={t("new-direct")} onClick={() => openNewDirect()} />
    );
  const name = sectionName(section);
  return (
    <>
      <IconButton
        icon="dots"
        size="xs"
        class="sidebar-more"
        label={t("row-menu", { name })}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => openSectionMenu(currentTarget, section.key)}
      />
      {section.key === "channels" && (
        <IconButton
          icon="plus"
          size="xs"
          label={t(canMake() ? "new-channel" : "browse-channels")}
          onClick={() => go(canMake() ? newChannelView : listView())}
        />
      )}
    </>
  );
}
