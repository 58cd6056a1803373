// The interface of the rest of the client that the feed uses.
import type { Message } from "../features/messages/state.ts";
import type { Seen } from "./measure.ts";
import type { BarDrawing } from "./paint.ts";
import type { FeedView, Segment } from "./view.ts";

export interface Surroundings extends BarDrawing {
  messageOf(id: number): Message | undefined;
  /** Own unconfirmed messages after the newest message. */
  echoes(view: FeedView): readonly Message[];
  /** Fetches beyond an end of the range; the view then holds more, or the range is whole. */
  more(view: FeedView, segment: Segment, way: "up" | "down"): Promise<void>;
  /** Called after visible rows were rendered, scrolled or changed. */
  onSight(seen: readonly Seen[]): void;
  /** Called when a person has scrolled. */
  onScroll(): void;
}
