// The page for creating a channel, with common defaults.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { go } from "../../../store/address.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { useLeaveWithoutPermission } from "../../../ui/saving.ts";
import { t } from "../../../words/words.ts";
import { PageHead } from "../../page/page-head.tsx";
import { Denied } from "../../picker/permission.tsx";
import { canCreateChannels } from "../permissions.ts";
import { createFromDraft, fieldErrorsOf, validateDraft, type FieldErrors } from "./create.ts";
import { OptionalFields } from "./new-fields.tsx";
import { type ChannelDraft, draft, startDraft } from "./draft.ts";
import { listView } from "../route-rules.ts";
import { peopleOf } from "../subscriber-actions.ts";

export function NewChannel() {
  subscribe("groups", "realm", "folders", "users");
  const state = getState();
  const canCreate = canCreateChannels(state);
  useLeaveWithoutPermission(canCreate, () => go(listView()));
  const errors = useSignal<FieldErrors>({});
  const isBusy = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const currentDraft = draft.value ?? startDraft();
  const set = (change: Partial<ChannelDraft>) => {
    draft.value = { ...currentDraft, ...change };
    errors.value = {};
  };
  const people = useChosen(currentDraft);
  useEffect(() => form.current?.querySelector<HTMLElement>("input")?.focus(), []);
  const submit = async () => {
    const faults = validateDraft(currentDraft);
    if (faults || isBusy.value) {
      errors.value = faults ?? errors.value;
      form.current?.querySelector<HTMLElement>("input")?.focus();
      return;
    }
    isBusy.value = true;
    try {
      await createFromDraft(currentDraft, await peopleOf(currentDraft.subscribers));
    } catch (error) {
      errors.value = fieldErrorsOf(error);
    } finally {
      isBusy.value = false;
    }
  };
  if (!canCreate) return <CannotCreateChannel />;
  const others = people.filter((id) => id !== state.people.me).length;
  return (
    <>
      <PageHead title={t("new-channel")} list={listView()} />
      <div class="page-body" tabIndex={0} role="region" aria-label={t("new-channel")}>
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
          <OptionalFields draft={currentDraft} set={set} errors={errors.value} />
        </form>
      </div>
      <Foot text={errors.value.foot} count={others} isBusy={isBusy.value} />
    </>
  );
}

function CannotCreateChannel() {
  return (
    <>
      <PageHead title={t("new-channel")} list={listView()} />
      <div class="page-body">
        <Denied
          textKey="cannot-create-channels"
          to={["can_create_public_channel_group", "can_create_private_channel_group"]}
        />
      </div>
    </>
  );
}

/** The number of initial subscribers, including those of selected channels. */
function useChosen({ subscribers }: ChannelDraft): readonly number[] {
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

interface ChannelFootProps {
  /** The error text. */
  text: string | undefined;
  /** Number of users who are added, without the current user. */
  count: number;
  isBusy: boolean;
}

function Foot({ text, count, isBusy }: ChannelFootProps) {
  return (
    <footer class="foot-bar">
      <p class="hint" role="status">
        {text === undefined ? (
          t("people-to-be-added", { count })
        ) : (
          <strong class="wrong">{text}</strong>
        )}
      </p>
      <Button
        kind="quiet"
        onClick={() => {
          draft.value = undefined;
          go(listView());
        }}
      >
        {t("cancel")}
      </Button>
      <Button kind="primary" type="submit" form="new-channel" disabled={isBusy}>
        {t("create-channel")}
      </Button>
    </footer>
  );
}
