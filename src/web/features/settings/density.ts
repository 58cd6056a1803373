// The density of the layout on this device.
import { oneOfDevice } from "../../device-storage.ts";

export const DENSITIES = ["comfortable", "compact"] as const;

export const density = oneOfDevice("density", DENSITIES);
