// How close things stand, on this device.
import { ofDevice } from "../../device.ts";

export const DENSITIES = ["comfortable", "compact"] as const;
export type Density = (typeof DENSITIES)[number];

const isDensity = (value: unknown): value is Density =>
  (DENSITIES as readonly unknown[]).includes(value);

export const density = ofDevice<Density>("density", "comfortable", isDensity);
