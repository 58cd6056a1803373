// A name and a description, each saved when the user leaves its field.
import { useSaving } from "../saving.ts";
import { SavedPart } from "./saved-note.tsx";
import { useSavedText } from "./saved-text.ts";

interface NameAndDescription {
  name: string;
  description: string;
}

type SaveText = (text: string) => Promise<unknown>;

/** The attributes of both fields. */
export function useSavedTexts(
  values: NameAndDescription,
  setters: Record<keyof NameAndDescription, SaveText>,
) {
  const saving = useSaving();
  const useField = (field: keyof NameAndDescription) => ({
    ...useSavedText({ saving, part: field, value: values[field], set: setters[field] }),
    beside: <SavedPart saving={saving} part={field} />,
  });
  return { name: useField("name"), description: useField("description") };
}
