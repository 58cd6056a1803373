// The bar of a page about channels: its name, and the way back to the list.
import { go } from "../../../address.ts";
import { IconButton } from "../../../ui/button.tsx";
import { say } from "../../../words/words.ts";
import { BackButton } from "../../frame/back.tsx";
import { Strip } from "../../frame/strip.tsx";
import { listView } from "../route.ts";

export function Head({ title }: { title: string }) {
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
          <IconButton icon="x" label={say("close")} onClick={() => go(listView())} />
        </div>
      </header>
      <Strip />
    </div>
  );
}
