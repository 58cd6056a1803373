// An error boundary: an error in one part of the page does not affect the rest.
import { Component, type ComponentChildren } from "preact";
import { t } from "../../words/words.ts";
import { Button } from "../button.tsx";

interface Bounded {
  children: ComponentChildren;
  /** Shown if rendering the children throws; by default a note and a button that renders again. */
  instead?: ComponentChildren;
  /** Identifies the content; a new value renders the children again after an error. */
  of?: string;
}

interface BoundaryState {
  of: string | undefined;
  isFailed: boolean;
}

export class Boundary extends Component<Bounded, BoundaryState> {
  override state: BoundaryState = { of: undefined, isFailed: false };

  static override getDerivedStateFromProps(
    { of }: Bounded,
    state: BoundaryState,
  ): BoundaryState | null {
    return of === state.of ? null : { of, isFailed: false };
  }

  override componentDidCatch(error: unknown): void {
    reportError(error);
    this.setState({ isFailed: true });
  }

  override render({ children, instead }: Bounded) {
    if (!this.state.isFailed) return children;
    if (instead !== undefined) return instead;
    return (
      <p class="feed-note" role="alert">
        {t("not-displayed")}{" "}
        <Button onClick={() => this.setState({ isFailed: false })}>{t("try-now")}</Button>
      </p>
    );
  }
}

interface RowBoundaryProps {
  children: ComponentChildren;
  itemKey?: string;
  /** The CSS class of the rows. */
  look?: "list-row" | "sidebar-row";
}

/** A row that fails to render does not affect other rows. */
export function RowBoundary({ children, itemKey, look = "list-row" }: RowBoundaryProps) {
  const instead = (
    <li class={look} data-key={itemKey}>
      <p class="pre">{t("not-displayed")}</p>
    </li>
  );
  return <Boundary instead={instead}>{children}</Boundary>;
}
