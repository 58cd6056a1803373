// A view that is a list: its bar, its scroller that comes back to where it was, its empty state.
import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { remember, remembered } from "../../address.ts";
import { IconButton } from "../../ui/button.tsx";
import { scrollTo, topOf } from "../../ui/measure.ts";
import { say } from "../../words/words.ts";
import { runCommand } from "../../commands.ts";
import { BackButton } from "../frame/back.tsx";
import { Strip } from "../frame/strip.tsx";
import { pointing } from "./steady.ts";

interface Shown {
  title: ComponentChildren;
  sub?: string | undefined;
  label: string;
  /** Before the search, which all have, and after it. */
  lead?: ComponentChildren;
  acts?: ComponentChildren;
  children: ComponentChildren;
}

/** After so long without scrolling, where one stands is kept. */
const REST_MS = 250;

export function ListSheet({ title, sub, label, lead, acts, children }: Shown) {
  const scroller = useTop();
  return (
    <>
      <div>
        <header class="bar">
          <BackButton isTop />
          <div class="bar-main">
            <h1>{title}</h1>
            {sub !== undefined && <p class="sub">{sub}</p>}
          </div>
          <div class="bar-acts">
            {lead}
            <IconButton icon="search" label={say("search")} onClick={() => runCommand("search")} />
            {acts}
          </div>
        </header>
        <Strip />
      </div>
      <div
        class="scroll"
        tabIndex={-1}
        role="region"
        aria-label={label}
        ref={scroller}
        onKeyDown={pointing.onPointerMove}
        {...pointing}
      >
        {children}
      </div>
    </>
  );
}

/** Restores the scroll position of this history entry. */
export function useTop(): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current) return undefined;
    const { top = 0 } = remembered.peek();
    // At the start no scrolling is needed, which would cost a layout.
    if (top > 0) scrollTo(current, top);
    let rest: ReturnType<typeof setTimeout> | undefined;
    const scrolled = () => {
      clearTimeout(rest);
      rest = setTimeout(() => remember({ top: topOf(current) }), REST_MS);
    };
    current.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      clearTimeout(rest);
      current.removeEventListener("scroll", scrolled);
    };
  }, []);
  return scroller;
}
