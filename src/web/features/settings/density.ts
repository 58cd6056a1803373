// The density of the layout on this device.
import { oneOfDevice } from "../../device.ts";

export const DENSITIES = ["comfortable", "compact"] as const;

export const density = oneOfDevice("density", DENSITIES);
