const { NODE_COMPILE_CACHE } = process.env

/** The environment variable with which a program for Node.js loads what an earlier run has
 *  compiled; empty when this process has no such cache. */
export const compileCacheSetting: Readonly<Record<string, string>> = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
