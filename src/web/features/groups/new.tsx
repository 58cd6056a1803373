// Makes a group: its name, what it is for, who is in it, and who may what with it.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import {
  GROUP_DESCRIPTION_LENGTH_MAX,
  GROUP_NAME_LENGTH_MAX,
} from "../../../features/groups/rules.ts";
import type { GroupPermission } from "../../../features/rights/permission-rules.ts";
import { go } from "../../address.ts";
import { makeGroup } from "../../api/manage-calls.ts";
import { sync } from "../../here.ts";
import { keyed, known, now } from "../../live.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/form/text-field.tsx";
import { refusalOf, useRight } from "../../ui/saving.ts";
import { say } from "../../words/words.ts";
import { PageHead } from "../frame/page-head.tsx";
import type { Picked } from "../picker/candidates.ts";
import { Denied } from "../picker/permission.tsx";
import { Picker } from "../picker/picker.tsx";
import { mayMakeGroups } from "./asker.ts";
import { firstGroupRight, GroupRight, RIGHTS } from "./rights.tsx";
import { groupListView, groupView } from "./route.ts";
import type { GroupSetting } from "./state.ts";

interface Draft {
  name: string;
  description: string;
  picked: Picked[];
  rights: Partial<Record<GroupPermission, GroupSetting>>;
}

/** Outlives the page, so that leaving it loses nothing. */
const draft = signal<Draft | undefined>(undefined);

const started = (): Draft => ({
  name: "",
  description: "",
  picked: [{ kind: "person", id: now().people.me }],
  rights: {},
});

export function NewGroup() {
  keyed("groups", "realm", "users");
  const may = mayMakeGroups(known()!);
  useRight(may, () => go(groupListView()));
  const wrong = useSignal<{ name?: string; foot?: string }>({});
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const shown = draft.value ?? started();
  const set = (change: Partial<Draft>) => {
    draft.value = { ...shown, ...change };
    wrong.value = {};
  };
  useEffect(() => form.current?.querySelector<HTMLElement>("input")?.focus(), []);
  const submit = async () => {
    if (isBusy.value) return;
    if (shown.name.trim() === "") {
      wrong.value = { name: say("name-missing") };
      form.current?.querySelector<HTMLElement>("input")?.focus();
      return;
    }
    isBusy.value = true;
    try {
      await make(shown);
    } catch (error) {
      const words = refusalOf(error);
      wrong.value = /name|group '/i.test(words) ? { name: words } : { foot: words };
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <>
      <PageHead title={say("new-group")} list={groupListView()} />
      <div class="page-body" tabIndex={0} role="region" aria-label={say("new-group")}>
        {may ? (
          <form
            class="in form"
            id="new-group"
            ref={form}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void submit();
            }}
          >
            <Parts shown={shown} set={set} wrong={wrong.value.name} />
          </form>
        ) : (
          <Denied words="may-not-make-groups" to={["can_create_groups"]} />
        )}
      </div>
      {may && <Foot words={wrong.value.foot} isBusy={isBusy.value} />}
    </>
  );
}

interface Parted {
  shown: Draft;
  set: (change: Partial<Draft>) => void;
  wrong: string | undefined;
}

function Parts({ shown, set, wrong }: Parted) {
  return (
    <>
      <TextField
        label={say("name")}
        value={shown.name}
        lengthMax={GROUP_NAME_LENGTH_MAX}
        wrong={wrong}
        onInput={(name) => set({ name })}
      />
      <TextField
        label={say("what-it-is-for")}
        value={shown.description}
        lengthMax={GROUP_DESCRIPTION_LENGTH_MAX}
        wrong={undefined}
        onInput={(description) => set({ description })}
      />
      <Picker
        label={say("who-is-in")}
        placeholder={say("people-groups")}
        picked={shown.picked}
        kinds={["person", "group"]}
        mayBe={mayBeIn}
        onChange={(picked) => set({ picked })}
      />
      <details class="more-parts">
        <summary>{say("who-may-what")}</summary>
        <div>
          {RIGHTS.map((name) => (
            <GroupRight
              key={name}
              name={name}
              value={shown.rights[name] ?? firstGroupRight(name)}
              mayChange
              wrong={undefined}
              onChange={(value) => set({ rights: { ...shown.rights, [name]: value } })}
            />
          ))}
        </div>
      </details>
    </>
  );
}

function Foot({ words, isBusy }: { words: string | undefined; isBusy: boolean }) {
  return (
    <footer class="foot-bar">
      <p class="hint" role="alert">
        {words !== undefined && <strong class="wrong">{words}</strong>}
      </p>
      <Button
        kind="quiet"
        onClick={() => {
          draft.value = undefined;
          go(groupListView());
        }}
      >
        {say("cancel")}
      </Button>
      <Button kind="primary" type="submit" form="new-group" disabled={isBusy}>
        {say("create-group")}
      </Button>
    </footer>
  );
}

/** Nobody and the whole web cannot be members. */
export function mayBeIn({ kind, id }: Picked): boolean {
  if (kind !== "group") return true;
  const name = now().groups.groups.get(id)?.name;
  return name !== "role:nobody" && name !== "role:internet";
}

async function make(shown: Draft): Promise<void> {
  const ids = (kind: Picked["kind"]) =>
    shown.picked.filter((one) => one.kind === kind).map(({ id }) => id);
  const { group_id } = await makeGroup(sync, {
    name: shown.name.trim(),
    description: shown.description.trim(),
    members: ids("person"),
    subgroups: ids("group"),
    ...(shown.rights as object),
  });
  draft.value = undefined;
  go(groupView(group_id));
}
