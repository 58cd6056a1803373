// Files that are on their way, and those that are not taken.
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { addressOf } from "../../address.ts";
import type { View } from "../../views.ts";
import { say } from "../../words/words.ts";
import { shelf } from "../compose/desk.ts";
import type { Upload } from "./uploads.ts";

export function UploadList() {
  const all = [...(shelf.value?.uploads.all.value.values() ?? [])];
  return (
    <>
      {all.length > 0 && (
        <ul class="compose-uploads" aria-label={say("uploads")}>
          {all.map((upload) => (
            <Row key={upload.key} upload={upload} />
          ))}
        </ul>
      )}
    </>
  );
}

function Row({ upload: { key, name, size, sent, isWaiting, refused } }: { upload: Upload }) {
  return (
    <li data-refused={refused && ""}>
      <Icon name={refused ? "alert" : "file"} size={16} />
      <bdi>{name}</bdi>
      {refused ? (
        <span role="alert">
          {refused.words}
          {refused.isOfRoom && (
            <>
              {" "}
              <a href={addressOf(MY_FILES)}>{say("settings-files")}</a>
            </>
          )}
        </span>
      ) : (
        <>
          <progress max={Math.max(1, size)} value={sent} aria-label={name} />
          {isWaiting && <span role="status">{say("upload-waits")}</span>}
        </>
      )}
      <IconButton
        icon="x"
        size="xs"
        label={say(refused ? "put-away-upload" : "cancel-upload", { name })}
        onClick={() => shelf.peek()?.uploads.cancel(key)}
      />
    </li>
  );
}

const MY_FILES: View = { kind: "page", page: "settings", path: ["files"] };
