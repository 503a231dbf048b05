/** Side of a cover in pixels. */
export const coverSize = 1024
