// What one has uploaded: how large, where it is used, and deleting it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { deleteFile, fetchFiles } from "../../../api/account-calls.ts";
import { sync } from "../../../here.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { closeLayer, openLayer } from "../../../ui/layers.ts";
import { say } from "../../../words/words.ts";
import { attempt, Refusal, useSending } from "../form.tsx";

const ID = "delete-file";
type File = Awaited<ReturnType<typeof fetchFiles>>["attachments"][number];

export function FilesPage() {
  const files = useSignal<readonly File[] | undefined>(undefined);
  const load = async () => {
    const { attachments } = await fetchFiles(sync, {});
    files.value = attachments.toSorted((a, b) => b.size - a.size);
  };
  useEffect(() => {
    const again = () => void attempt(load);
    again();
    addEventListener("focus", again);
    return () => removeEventListener("focus", again);
  }, []);
  if (!files.value) return <p class="settings-intro">{say("settings-loading")}</p>;
  const size = sizeWords(files.value.reduce((sum, one) => sum + one.size, 0));
  return (
    <section>
      <p class="settings-fact">
        {files.value.length === 0
          ? say("settings-files-none")
          : say("settings-files-total", { count: files.value.length, size })}
      </p>
      <ul class="settings-list">
        {files.value.map((file) => (
          <li key={file.id}>
            <span>
              <a href={`/user_uploads/${file.path_id}`} target="_blank" rel="noopener">
                <bdi>{file.name}</bdi>
              </a>
              <small>
                {sizeWords(file.size)} ·{" "}
                {file.message_ids.length === 0 && say("settings-file-unused")}
                {file.message_ids.map((id) => (
                  <a key={id} href={`/m/${id}`}>
                    {say("settings-file-message", { id })}{" "}
                  </a>
                ))}
              </small>
            </span>
            <Button
              aria-label={say("settings-file-delete", { name: file.name })}
              onClick={() => openLayer(ID, <Sure file={file} done={load} />)}
            >
              {say("settings-delete")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sure({ file, done }: { file: File; done: () => Promise<void> }) {
  const { refusal, isBusy, send } = useSending();
  const remove = () =>
    send(async () => {
      await deleteFile(sync, { attachment_id: file.id });
      closeLayer(ID);
      await done();
    });
  return (
    <Dialog
      id={ID}
      title={say("settings-file-delete", { name: file.name })}
      onSubmit={() => void remove()}
      foot={
        <Button kind="danger" type="submit" disabled={isBusy.value}>
          {say("settings-delete")}
        </Button>
      }
    >
      <p>{say("settings-file-sure")}</p>
      <Refusal words={refusal.value} />
    </Dialog>
  );
}

function sizeWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
