// A modal dialog, which keeps the focus until it is closed.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../words/words.ts";
import { Button, IconButton } from "./button.tsx";
import { useRestoredFocus } from "./keep-focus.ts";
import { closeLayer } from "./layers.ts";
import { onOutsidePress } from "./popover.tsx";
import { showPermissionLost } from "./saving.ts";

interface DialogProps {
  /** The id of its layer. */
  id: string;
  title: string;
  children: ComponentChildren;
  /** Buttons, with the primary one last. */
  foot?: ComponentChildren;
  onSubmit?: () => void;
  /** False as soon as the user loses the permission; the dialog then closes with a notice. */
  isAllowed?: boolean;
  /** The dialog stays open for users who never had the permission, and says what they lack. */
  isExplained?: boolean;
}

const FOCUSABLE = "input, textarea, select, button, a[href], [tabindex='0']";

export function Dialog({
  id,
  title,
  children,
  foot,
  onSubmit,
  isAllowed,
  isExplained = false,
}: DialogProps) {
  const form = useRef<HTMLFormElement>(null);
  // A user can lose the permission while the script of the dialog loads.
  const wasAllowed = useRef(!isExplained || isAllowed !== false);
  useRestoredFocus(() => form.current);
  useEffect(() => {
    if (isAllowed !== false || !wasAllowed.current) return;
    closeLayer(id);
    showPermissionLost();
  }, [isAllowed]);
  useLayoutEffect(() => {
    // Fields within closed details cannot have the focus.
    const find = (selector: string) =>
      [...(form.current?.querySelectorAll<HTMLElement>(selector) ?? [])].find((node) =>
        node.checkVisibility(),
      );
    const body = find(".dialog-body [data-first]") ?? find(`.dialog-body :is(${FOCUSABLE})`);
    (body ?? find("footer button") ?? form.current)?.focus();
  }, []);
  return (
    <Backdrop id={id}>
      <div class="dialog" role="dialog" aria-modal="true" aria-labelledby={`${id}-title`}>
        <form
          ref={form}
          tabIndex={-1}
          onKeyDown={(event) => {
            if (event.key === "Tab") trapFocus(event, event.currentTarget);
            else if (isSubmitKey(event)) submit(event, event.currentTarget);
          }}
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit?.();
          }}
        >
          <header>
            <h2 id={`${id}-title`}>{title}</h2>
            <IconButton icon="x" label={t("close")} onClick={() => closeLayer(id)} />
          </header>
          <div class="dialog-body">{children}</div>
          {foot && <footer>{foot}</footer>}
        </form>
      </div>
    </Backdrop>
  );
}

/** In a text of several lines, Enter starts a line, so Ctrl+Enter submits, as in the composer. */
const isSubmitKey = ({ key, target, ctrlKey, metaKey, defaultPrevented }: KeyboardEvent) =>
  key === "Enter" &&
  (ctrlKey || metaKey) &&
  !defaultPrevented &&
  target instanceof HTMLTextAreaElement;

function submit(event: KeyboardEvent, form: HTMLFormElement): void {
  event.preventDefault();
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  if (button && !button.disabled) form.requestSubmit(button);
}

interface SubmitFootProps {
  /** The id of the dialog's layer. */
  id: string;
  kind?: "primary" | "danger";
  isDisabled: boolean;
  children: ComponentChildren;
}

/** The buttons that cancel a dialog, and submit it. */
export const SubmitFoot = ({ id, kind = "primary", isDisabled, children }: SubmitFootProps) => (
  <>
    <Button onClick={() => closeLayer(id)}>{t("cancel")}</Button>
    <Button kind={kind} type="submit" disabled={isDisabled}>
      {children}
    </Button>
  </>
);

/** The background of a layer. A click on it closes the layer. */
export function Backdrop({ id, children }: { id: string; children: ComponentChildren }) {
  return (
    <div
      class="backdrop"
      onPointerDown={(event) => {
        if (event.target !== event.currentTarget) return;
        onOutsidePress(event);
        closeLayer(id);
      }}
    >
      {children}
    </div>
  );
}

/** Tab on the last element moves to the first, and vice versa. */
export function trapFocus(event: KeyboardEvent, within: HTMLElement): void {
  const all = [...within.querySelectorAll<HTMLElement>(`${FOCUSABLE}, summary`)].filter(
    (node) => !node.matches(":disabled") && node.tabIndex >= 0 && node.checkVisibility(),
  );
  const edge = event.shiftKey ? all[0] : all.at(-1);
  const { activeElement } = document;
  const isInside = activeElement !== within && within.contains(activeElement);
  if (isInside && activeElement !== edge) return;
  event.preventDefault();
  (event.shiftKey ? all.at(-1) : all[0])?.focus();
}

/** For layers that fill a phone, where no space is left to press beside them. */
export function CloseOnPhones({ layer }: { layer: string }) {
  return (
    <IconButton
      class="icon-btn back"
      icon="x"
      label={t("close")}
      onClick={() => closeLayer(layer)}
    />
  );
}
