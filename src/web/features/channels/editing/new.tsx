// Makes a channel: all of it on one page, most of it already as most people want it.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { go } from "../../../address.ts";
import { keyed, known } from "../../../live.ts";
import { Button } from "../../../ui/button.tsx";
import { useRight } from "../../../ui/saving.ts";
import { say } from "../../../words/words.ts";
import { PageHead } from "../../frame/page-head.tsx";
import { Denied } from "../../picker/permission.tsx";
import { mayMakeChannels } from "../asker.ts";
import { make, wrongBy, wrongIn, type Wrongs } from "./making.ts";
import { Parts } from "./new-parts.tsx";
import { type Draft, draft, startDraft } from "./draft.ts";
import { listView } from "../route.ts";
import { peopleOf } from "../subscribers.ts";

export function NewChannel() {
  keyed("groups", "realm", "folders", "users");
  const state = known()!;
  const may = mayMakeChannels(state);
  useRight(may, () => go(listView()));
  const wrong = useSignal<Wrongs>({});
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const shown = draft.value ?? startDraft();
  const set = (change: Partial<Draft>) => {
    draft.value = { ...shown, ...change };
    wrong.value = {};
  };
  const people = useChosen(shown);
  useEffect(() => form.current?.querySelector<HTMLElement>("input")?.focus(), []);
  const submit = async () => {
    const found = wrongIn(shown);
    if (found || isBusy.value) {
      wrong.value = found ?? wrong.value;
      form.current?.querySelector<HTMLElement>("input")?.focus();
      return;
    }
    isBusy.value = true;
    try {
      await make(shown, await peopleOf(shown.subscribers));
    } catch (error) {
      wrong.value = wrongBy(error);
    } finally {
      isBusy.value = false;
    }
  };
  if (!may) return <NotAllowed />;
  const others = people.filter((id) => id !== state.people.me).length;
  return (
    <>
      <PageHead title={say("new-channel")} list={listView()} />
      <div class="page-body" tabIndex={0} role="region" aria-label={say("new-channel")}>
        <form
          class="in form"
          id="new-channel"
          ref={form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <Parts shown={shown} set={set} wrong={wrong.value} />
        </form>
      </div>
      <Foot words={wrong.value.foot} count={others} isBusy={isBusy.value} />
    </>
  );
}

function NotAllowed() {
  return (
    <>
      <PageHead title={say("new-channel")} list={listView()} />
      <div class="page-body">
        <Denied
          words="may-not-make"
          to={["can_create_public_channel_group", "can_create_private_channel_group"]}
        />
      </div>
    </>
  );
}

/** How many would be in it, also through channels whose people are asked for. */
function useChosen({ subscribers }: Draft): readonly number[] {
  const people = useSignal<readonly number[]>([]);
  useEffect(() => {
    let isCurrent = true;
    void peopleOf(subscribers).then(
      (ids) => {
        if (isCurrent) people.value = ids;
      },
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [subscribers]);
  return people.value;
}

interface Footed {
  /** The error, as a sentence. */
  words: string | undefined;
  /** How many are added besides oneself. */
  count: number;
  isBusy: boolean;
}

function Foot({ words, count, isBusy }: Footed) {
  return (
    <footer class="foot-bar">
      <p class="hint" role="status">
        {words === undefined ? say("are-added", { count }) : <strong class="wrong">{words}</strong>}
      </p>
      <Button
        kind="quiet"
        onClick={() => {
          draft.value = undefined;
          go(listView());
        }}
      >
        {say("cancel")}
      </Button>
      <Button kind="primary" type="submit" form="new-channel" disabled={isBusy}>
        {say("create-channel")}
      </Button>
    </footer>
  );
}
