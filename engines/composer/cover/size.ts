/** Pixels of a side of a cover. */
export const coverSize = 1024
