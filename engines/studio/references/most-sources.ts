/** Most pictures that one picture is composed of (docs/interface/pictures.md#f3). */
export const mostSources = 14
