// Size limits of uploaded avatars and icons, and the sizes in which they are stored.

export const PICTURE_MIB_MAX = 5;
export const AVATAR_PIXELS = 100;
export const AVATAR_PIXELS_MEDIUM = 500;
export const ICON_PIXELS = 200;
export const LOGO = { width: 800, height: 100 };
