// The bar of a page that was opened from a list: its title, and a link back to the list.
import { go } from "../../store/address.ts";
import { IconButton } from "../../ui/button.tsx";
import type { View } from "../../views.ts";
import { t } from "../../words/words.ts";
import { SidebarButton } from "./sidebar-button.tsx";
import { ConnectionBanner } from "./connection-banner.tsx";

export function PageHead({ title, list }: { title: string; list: View }) {
  return (
    <div>
      <header class="bar">
        <SidebarButton />
        <div class="bar-main">
          <h1>
            <bdi class="tp">{title}</bdi>
          </h1>
        </div>
        <div class="bar-acts">
          <IconButton icon="x" label={t("close")} onClick={() => go(list)} />
        </div>
      </header>
      <ConnectionBanner />
    </div>
  );
}
