/** Lengths of time in milliseconds. */
export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Sizes in bytes. */
export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB
