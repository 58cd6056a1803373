// The content of a message outside of the feed.
import { useEffect, useRef } from "preact/hooks";
import { rendered } from "../../content/render-content.ts";
import { contentContext } from "../conversation/reading-selectors.ts";

export function Content({ html }: { html: string }) {
  const node = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parsed = rendered(html, contentContext);
    // Differences are wrapped in an extra element.
    const { firstElementChild: box, childElementCount } = parsed;
    if (childElementCount === 1 && box?.matches("div:not([class])"))
      box.replaceWith(...box.childNodes);
    node.current?.replaceChildren(parsed);
  }, [html]);
  return <div class="md" dir="auto" ref={node} />;
}
