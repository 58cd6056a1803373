// Keeps an error in one part of the page from emptying the rest of it.
import { Component, type ComponentChildren } from "preact";
import { say } from "../words/words.ts";
import { Button } from "../ui/button.tsx";

interface Bounded {
  children: ComponentChildren;
  /** Shown if rendering the children throws; by default a note and a button that renders again. */
  instead?: ComponentChildren;
  /** Identifies what the children show; another value renders them again after a failure. */
  of?: string;
}

interface State {
  of: string | undefined;
  isFailed: boolean;
}

export class Boundary extends Component<Bounded, State> {
  override state: State = { of: undefined, isFailed: false };

  static override getDerivedStateFromProps({ of }: Bounded, state: State): State | null {
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
        {say("not-displayed")}{" "}
        <Button onClick={() => this.setState({ isFailed: false })}>{say("try-now")}</Button>
      </p>
    );
  }
}

interface Row {
  children: ComponentChildren;
  itemKey?: string;
  /** The class of the rows. */
  look?: "list-row" | "rail-row";
}

/** A row of a list that fails leaves the other rows in place. */
export function RowBoundary({ children, itemKey, look = "list-row" }: Row) {
  const instead = (
    <li class={look} data-key={itemKey}>
      <p class="pre">{say("not-displayed")}</p>
    </li>
  );
  return <Boundary instead={instead}>{children}</Boundary>;
}
