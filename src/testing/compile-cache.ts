const { NODE_COMPILE_CACHE } = process.env

/** Environment of a child process that shares this process's compile cache of Node.js; empty when
 *  there is no cache. */
export const compileCacheSetting: Readonly<Record<string, string>> = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
