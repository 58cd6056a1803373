// Whether a finger is the main way to point, as on phones and tablets.
export const hasTouchScreen = (): boolean => matchMedia("(pointer: coarse)").matches;
