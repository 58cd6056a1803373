// The limits of channel folders.

export const FOLDER_NAME_LENGTH_MAX = 60;
export const FOLDER_DESCRIPTION_LENGTH_MAX = 1024;
export const FOLDERS_MAX = 1_000;
