// A dialog over the view: the focus stays in it until it is answered.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { say } from "../words/words.ts";
import { IconButton } from "./button.tsx";
import { useKeptFocus } from "./keep-focus.ts";
import { closeLayer } from "./layers.ts";
import { pressAway } from "./popover.tsx";
import { tellRightLost } from "./saving.ts";

interface Asked {
  /** The name of its layer. */
  id: string;
  title: string;
  children: ComponentChildren;
  /** Buttons, the one that it is for last. */
  foot?: ComponentChildren;
  onSubmit?: () => void;
  /** False as soon as one may no longer do what it is for: it closes with a word. */
  may?: boolean;
}

const FOCUSABLE = "input, textarea, select, button, a[href], [tabindex='0']";

export function Dialog({ id, title, children, foot, onSubmit, may }: Asked) {
  const form = useRef<HTMLFormElement>(null);
  const mightAtFirst = useRef(may);
  useKeptFocus(() => form.current);
  useEffect(() => {
    // Users who never had permission see an explanation inside.
    if (may !== false || mightAtFirst.current === false) return;
    closeLayer(id);
    tellRightLost();
  }, [may]);
  useLayoutEffect(() => {
    const body = form.current?.querySelector<HTMLElement>(`.dialog-body :is(${FOCUSABLE})`);
    (body ?? form.current?.querySelector<HTMLElement>("footer button") ?? form.current)?.focus();
  }, []);
  return (
    <Veil id={id}>
      <div class="dialog" role="dialog" aria-modal="true" aria-labelledby={`${id}-title`}>
        <form
          ref={form}
          tabIndex={-1}
          onKeyDown={(event) => event.key === "Tab" && keepInside(event, form.current!)}
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit?.();
          }}
        >
          <header>
            <h2 id={`${id}-title`}>{title}</h2>
            <IconButton icon="x" label={say("close")} onClick={() => closeLayer(id)} />
          </header>
          <div class="dialog-body">{children}</div>
          {foot && <footer>{foot}</footer>}
        </form>
      </div>
    </Veil>
  );
}

/** The background of a layer. A click on it closes the layer. */
export function Veil({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <div
      class="veil"
      onPointerDown={(event) => {
        if (event.target !== event.currentTarget) return;
        pressAway(event);
        closeLayer(id);
      }}
    >
      {children}
    </div>
  );
}

/** From the last the focus goes to the first, and back. */
export function keepInside(event: KeyboardEvent, within: HTMLElement): void {
  const all = [...within.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (node) => !(node as HTMLButtonElement).disabled && node.tabIndex >= 0 && node.checkVisibility(),
  );
  const edge = event.shiftKey ? all[0] : all.at(-1);
  const { activeElement } = document;
  const isInside = activeElement !== within && within.contains(activeElement);
  if (isInside && activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0])?.focus();
}
