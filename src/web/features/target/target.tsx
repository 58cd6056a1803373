// The line that says where a message goes, tied to it by the channel's thread.
import { keyed } from "../../live.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Place } from "../../views.ts";
import { barOf } from "../conversation/drawing.ts";
import { Writers } from "../typing/writers.tsx";

export function TargetLine({ place }: { place: Place }) {
  keyed("channels", "users", "realm");
  const words = barOf(place);
  return (
    <div class="compose-to">
      <span class="knot" />
      <Icon name={words.icon} of="ch" size={16} />
      {words.channel && <b dir="auto">{words.channel.name}</b>}
      {words.channel && (
        <span class="sl" aria-hidden="true">
          ›
        </span>
      )}
      <bdi class="compose-topic">{words.title}</bdi>
      <Writers place={place} />
    </div>
  );
}
