// The reasons for which a message may be reported to the moderators.

export const REPORT_TYPES = {
  spam: "Spam",
  harassment: "Harassment",
  inappropriate: "Inappropriate content",
  norms: "Violates the rules of the organization",
  other: "Something else",
} as const;

export type ReportType = keyof typeof REPORT_TYPES;

export const REPORT_LENGTH_MAX = 1000;
