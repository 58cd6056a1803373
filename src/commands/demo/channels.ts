// Channels of the sample organization, and their members.

export interface SampleChannel {
  readonly name: string;
  readonly description: string;
  readonly folder?: string;
  readonly invite_only?: boolean;
  /** Members; by default everyone except guests. */
  readonly people?: readonly string[];
}

export const FOLDERS: Readonly<Record<string, string>> = {
  "In the field": "What grows, what freezes, and what stands beside it",
  "In the workshop": "What we build",
};

/** `general` exists from the start. */
export const GENERAL = { name: "general", description: "What concerns everybody" };

export const CHANNELS: readonly SampleChannel[] = [
  { name: "release", description: "From checklist to tag", folder: "In the workshop" },
  {
    name: "frost alarm",
    description: "Alarms, thresholds, and what they did",
    folder: "In the field",
  },
  {
    name: "field notes",
    description: "Visits, weather, photographs. One topic for each visit, please",
    folder: "In the field",
    people: ["Ada", "Noor", "Farid", "Tomás", "Kit"],
  },
  {
    name: "enclosure",
    description: "Prints, seals, screws",
    folder: "In the workshop",
    people: ["Ada", "Tomás", "Lena", "Ines"],
  },
  {
    name: "radio",
    description: "Antennas and duty cycle",
    folder: "In the workshop",
    people: ["Kit", "Ines"],
  },
  { name: "help", description: "Questions from the orchards, and answers" },
  { name: "bread and soup", description: "Fridays, one o’clock", people: ["Lena", "Bo", "Farid"] },
  {
    name: "hiring",
    description: "Two places open; what people write to us stays here",
    invite_only: true,
    people: ["Ada", "Mara", "Bo"],
  },
  {
    name: "build log",
    description: "Machines only",
    folder: "In the workshop",
    people: ["Ada", "Bo", "Kit", "Ines"],
  },
];

/** Additional channels of guests. */
export const GUEST_CHANNELS: Readonly<Record<string, readonly string[]>> = {
  Yuki: ["general", "help", "release", "bread and soup"],
};

/** Channels that the visitor has muted. */
export const MUTED_CHANNELS: readonly string[] = ["build log"];
export const FOLLOWED_TOPICS: readonly (readonly [place: string, topic: string])[] = [
  ["release", "0.2 checklist"],
  ["frost alarm", "Alentejo nights"],
];
