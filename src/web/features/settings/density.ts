// The density of the layout on this device.
import { deviceChoice } from "../../device-storage.ts";

export const DENSITIES = ["comfortable", "compact"] as const;

export const density = deviceChoice("density", DENSITIES);
