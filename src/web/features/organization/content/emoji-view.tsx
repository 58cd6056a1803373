// Custom emoji: adding and deactivating them.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { removeEmoji } from "../../../api/organization-calls.ts";
import { sync } from "../../../sync/session.ts";
import { subscribe, getState } from "../../../store/store.ts";
import { Button } from "../../../ui/button.tsx";
import { SearchField } from "../../../ui/form/search-field.tsx";
import { t } from "../../../words/words.ts";
import { can } from "../../groups/permissions.ts";
import { compareNames } from "../../../matching.ts";
import { personOf } from "../../people/state.ts";
import { holdersText } from "../../picker/permission.tsx";
import { Form, Refusal, TextField, useSending } from "../../../ui/form/form.tsx";
import { PictureButton, sendFile } from "../../settings/own/picture.tsx";
import { isAdministrator } from "../permissions.ts";
import type { CustomEmoji } from "../state.ts";
import { Empty, ListRow, RemoveButton } from "./list-parts.tsx";

const PIXELS = 32;

export function EmojiPage() {
  subscribe("realm_emoji", "realm", "groups", `user:${getState().people.me}`);
  const canAdd = can(getState(), "can_add_custom_emoji_group");
  const text = useSignal("");
  const query = text.value.trim();
  const active = Object.values(getState().organization.emoji).filter(
    ({ deactivated }) => !deactivated,
  );
  const all = active
    .filter(({ name }) => name.includes(query))
    .sort((a, b) => compareNames(a.name, b.name));
  return (
    <>
      {!canAdd && (
        <p class="org-note">
          {t("org-emoji-not-allowed")} {holdersText("can_add_custom_emoji_group")}
        </p>
      )}
      {canAdd && <NewEmoji />}
      <section>
        <h3>{t("org-emoji-count", { count: all.length })}</h3>
        {active.length > 0 && (
          <SearchField text={text} label={t("find-emoji")} class="org-search" />
        )}
        <Empty isShown={active.length === 0} textKey="org-emoji-none" />
        {all.length === 0 && active.length > 0 && (
          <p class="empty-note">{t("none-found", { words: query })}</p>
        )}
        <ul class="settings-list org-many">
          {all.map((emoji) => (
            <Row key={emoji.id} emoji={emoji} />
          ))}
        </ul>
      </section>
    </>
  );
}

function Row({ emoji: { name, source_url, still_url, author_id } }: { emoji: CustomEmoji }) {
  subscribe("users");
  const { people } = getState();
  const author = author_id === null ? undefined : personOf(people, author_id)?.full_name;
  const canRemove = () => isAdministrator() || author_id === people.me;
  const picture = (
    <picture class="org-emoji">
      {still_url && <source media="(prefers-reduced-motion: reduce)" srcset={still_url} />}
      <img src={source_url} alt="" width={PIXELS} height={PIXELS} loading="lazy" />
    </picture>
  );
  return (
    <ListRow
      lead={picture}
      name={`:${name}:`}
      note={author === undefined ? undefined : t("by-name", { name: author })}
    >
      {(attempt) => (
        <>
          {still_url && <span class="tag">{t("org-emoji-animated")}</span>}
          {canRemove() && (
            <RemoveButton
              attempt={attempt}
              name={`:${name}:`}
              textKey="org-emoji-remove-hint"
              isAllowed={canRemove}
              remove={() => removeEmoji(sync, { emoji_name: name })}
            />
          )}
        </>
      )}
    </ListRow>
  );
}

/** Errors about the name, but not about the image or permissions. */
const FIELDS = { name: ["name", "emoji_name"] };

function NewEmoji() {
  const name = useSignal("");
  const file = useSignal<File | undefined>(undefined);
  const { errorOf, isBusy, send } = useSending(FIELDS);
  const add = async () => {
    const { value } = file;
    const path = `/realm/emoji/${encodeURIComponent(name.value.trim())}`;
    if (!value || !(await send(() => sendFile("POST", path, {}, value)))) return;
    name.value = "";
    file.value = undefined;
  };
  const choose = (selected: File) => {
    file.value = selected;
    if (name.value === "") name.value = nameOf(selected.name);
  };
  return (
    <section>
      <h3>{t("org-emoji-new")}</h3>
      <Form send={() => void add()}>
        <Chooser file={file.value} choose={choose} />
        <Refusal text={errorOf("")} />
        <TextField label={t("name")} value={name} refusal={errorOf("name")} maxLength={100} />
        <p class="hint">{t("org-emoji-hint")}</p>
        <Button
          kind="primary"
          type="submit"
          disabled={isBusy.value || !file.value || name.value.trim() === ""}
        >
          {t("org-emoji-add")}
        </Button>
      </Form>
    </section>
  );
}

interface ChooserProps {
  file: File | undefined;
  choose: (file: File) => void;
}

function Chooser({ file, choose }: ChooserProps) {
  const preview = useSignal("");
  useEffect(() => {
    if (!file) return undefined;
    const url = URL.createObjectURL(file);
    preview.value = url;
    return () => {
      preview.value = "";
      URL.revokeObjectURL(url);
    };
  }, [file]);
  return (
    <span class="org-file">
      {preview.value !== "" && (
        <img
          src={preview.value}
          alt=""
          width={PIXELS}
          height={PIXELS}
          // The server rejected the image.
          onError={() => (preview.value = "")}
        />
      )}
      <PictureButton text={t("settings-picture-choose")} choose={choose} />
      {file && <bdi>{file.name}</bdi>}
    </span>
  );
}

/** The file's name, reduced to the letters of emoji names. */
function nameOf(file: string): string {
  const stem = file.replace(/\.[^.]*$/, "").toLowerCase();
  return stem.replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_|_$/g, "");
}
