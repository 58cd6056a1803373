// Shared parts of the first steps: each is a form that leads to the next one.
import type { ComponentChildren } from "preact";

export interface Part {
  next: () => void;
}

/** The button that sends it stands outside, at the foot. */
export const FORM = "founding";

export function PartForm({ send, children }: { send: () => void; children: ComponentChildren }) {
  return (
    <form
      id={FORM}
      class="settings-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {children}
    </form>
  );
}
