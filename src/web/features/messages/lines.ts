// Under which key the messages that lists show a line of are kept on the disk.
export const LINES = "lines";
