/** Largest number of pictures that can be combined into one (docs/interface/pictures.md#f3). */
export const mostSources = 14
