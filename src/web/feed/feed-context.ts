// The interface of the rest of the client that the feed uses.
import type { Message } from "../contract/message.ts";
import type { VisibleRow } from "./measure.ts";
import type { BarContext } from "./paint.ts";
import type { FeedView, Segment } from "./segments.ts";

export interface FeedContext extends BarContext {
  messageOf(id: number): Message | undefined;
  /** Adds a toolbar to the row that has the pointer or the focus, until the signal is aborted. */
  addTools(column: HTMLElement, signal: AbortSignal): void;
  /** Own unconfirmed messages after the newest message. */
  echoes(view: FeedView): readonly Message[];
  /**
   * Loads messages beyond an end of the range; afterwards the view has more, or the range is
   * complete.
   */
  more(view: FeedView, segment: Segment, direction: "up" | "down"): Promise<void>;
  /** Called after visible rows were rendered, scrolled or changed. */
  onVisibleRows(visibleRows: readonly VisibleRow[]): void;
  /** Called when the user has scrolled. */
  onScroll(): void;
}
