// The languages of the client itself, among which one chooses.
export const SPOKEN: readonly string[] = ["en", "de"];
