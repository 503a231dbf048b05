/** Pictures that one may be composed of (Part A, F3). */
export const mostSources = 14
