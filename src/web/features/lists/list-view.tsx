// The layout of a list view: its bar, a scroll area with a restored position, and an empty state.
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { updateEntry, remembered } from "../../ui/history-entry.ts";
import { IconButton } from "../../ui/button.tsx";
import { scrollTo, topOf } from "../../ui/measure.ts";
import { t } from "../../words/words.ts";
import { runCommand } from "../../ui/keys/commands.ts";
import { SidebarButton } from "../page/sidebar-button.tsx";
import { ConnectionBanner } from "../page/connection-banner.tsx";
import { pointerHandlers } from "./stable-order.ts";

interface ListSheetProps {
  title: ComponentChildren;
  sub?: string | undefined;
  label: string;
  /** Controls before and after the search field. */
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** The position is stored after this time without scrolling. */
const SEARCH_DELAY_MS = 250;

export function ListView({ title, sub, label, lead, actions, children }: ListSheetProps) {
  const scroller = useScrollPosition();
  return (
    <>
      <div>
        <header class="bar">
          <SidebarButton isTop />
          <div class="bar-main">
            <h1>{title}</h1>
            {sub !== undefined && <p class="sub">{sub}</p>}
          </div>
          <div class="bar-acts">
            {lead}
            <IconButton icon="search" label={t("search")} onClick={() => runCommand("search")} />
            {actions}
          </div>
        </header>
        <ConnectionBanner />
      </div>
      <div
        class="scroll"
        tabIndex={-1}
        role="region"
        aria-label={label}
        ref={scroller}
        onKeyDown={pointerHandlers.onPointerMove}
        {...pointerHandlers}
      >
        {children}
      </div>
    </>
  );
}

/** The button of views of many conversations that starts a message. */
export function NewMessageButton() {
  return (
    <IconButton icon="pencil" label={t("new-message")} onClick={() => runCommand("new-message")} />
  );
}

/** Restores the scroll position of this history entry. */
export function useScrollPosition(): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current) return undefined;
    const { top = 0 } = remembered.peek();
    // At the start no scrolling is needed, which would cost a layout.
    if (top > 0) scrollTo(current, top);
    let rest: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      clearTimeout(rest);
      rest = setTimeout(() => updateEntry({ top: topOf(current) }), SEARCH_DELAY_MS);
    };
    current.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      clearTimeout(rest);
      current.removeEventListener("scroll", onScroll);
    };
  }, []);
  return scroller;
}
