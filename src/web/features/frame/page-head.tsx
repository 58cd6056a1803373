// The bar of a page that was opened from a list: its name, and the way back to the list.
import { go } from "../../address.ts";
import { IconButton } from "../../ui/button.tsx";
import type { View } from "../../views.ts";
import { say } from "../../words/words.ts";
import { BackButton } from "./back.tsx";
import { Strip } from "./strip.tsx";

export function PageHead({ title, list }: { title: string; list: View }) {
  return (
    <div>
      <header class="bar">
        <BackButton />
        <div class="bar-main">
          <h1>
            <bdi class="tp">{title}</bdi>
          </h1>
        </div>
        <div class="bar-acts">
          <IconButton icon="x" label={say("close")} onClick={() => go(list)} />
        </div>
      </header>
      <Strip />
    </div>
  );
}
