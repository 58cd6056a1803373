// How long a status may be.

export const STATUS_TEXT_LENGTH_MAX = 60;
