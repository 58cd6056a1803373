// Recovery codes, shown once: to copy, print or save as a file.
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../../ui/button.tsx";
import { copyText } from "../../../ui/copy.ts";
import { t } from "../../../words/words.ts";

export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const node = useRef<HTMLDivElement>(null);
  useEffect(() => node.current?.focus(), [codes]);
  const text = `${codes.join("\n")}\n`;
  return (
    <div
      class="settings-once settings-codes"
      ref={node}
      tabIndex={-1}
      role="group"
      aria-label={t("settings-codes")}
    >
      <p>{t("settings-codes-keep")}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <span>
        <Button icon="copy" onClick={() => copyText(text, t("copied"))}>
          {t("copy")}
        </Button>
        <Button icon="download" onClick={() => saveAsFile(text, "recovery-codes.txt")}>
          {t("download")}
        </Button>
        <Button onClick={() => print()}>{t("settings-print")}</Button>
      </span>
    </div>
  );
}

function saveAsFile(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
