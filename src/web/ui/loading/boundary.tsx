// An error boundary: an error in one part of the page does not affect the rest.
import { Component, type ComponentChildren } from "preact";
import { t } from "../../words/words.ts";
import { Button } from "../button.tsx";

interface BoundaryProps {
  children: ComponentChildren;
  /** Shown if rendering the children throws; by default a note and a button that renders again. */
  fallback?: ComponentChildren;
  /** Identifies the content; a new value renders the children again after an error. */
  resetKey?: string;
}

interface BoundaryState {
  resetKey: string | undefined;
  isFailed: boolean;
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { resetKey: undefined, isFailed: false };

  static override getDerivedStateFromProps(
    { resetKey }: BoundaryProps,
    state: BoundaryState,
  ): BoundaryState | null {
    return resetKey === state.resetKey ? null : { resetKey, isFailed: false };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
    this.setState({ isFailed: true });
  }

  override render({ children, fallback }: BoundaryProps) {
    if (!this.state.isFailed) return children;
    if (fallback !== undefined) return fallback;
    return (
      <p class="feed-note" role="alert">
        {t("display-failed")}{" "}
        <Button onClick={() => this.setState({ isFailed: false })}>{t("try-now")}</Button>
      </p>
    );
  }
}

interface RowBoundaryProps {
  children: ComponentChildren;
  itemKey?: string;
  /** The CSS class of the rows. */
  variant?: "list-row" | "sidebar-row";
}

/** A row that fails to render does not affect other rows. */
export function RowBoundary({ children, itemKey, variant = "list-row" }: RowBoundaryProps) {
  const instead = (
    <li class={variant} data-key={itemKey}>
      <p class="pre">{t("display-failed")}</p>
    </li>
  );
  return <Boundary fallback={instead}>{children}</Boundary>;
}
