/** From creation to `expiresAt`. The database checks it. */
export const WINDOW_MINUTES = 15;
