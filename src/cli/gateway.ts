/** The entry point of the program. Compiled code is cached in `node_modules/.cache` for later
 *  starts: the cache is enabled before the first import of our own modules. `NODE_COMPILE_CACHE`
 *  sets another folder, `NODE_DISABLE_COMPILE_CACHE=1` disables the cache; if the folder cannot
 *  be written, the program only starts more slowly. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// From the first requests, V8 predicts which objects live long, and allocates such objects in the
// old generation of the heap. For this program the prediction is wrong: objects of a request live
// only briefly. In the old generation they would keep everything that they refer to in memory until
// a full garbage collection (docs/decisions/0042 has the figures).
setFlagsFromString('--no-allocation-site-pretenuring')
// `enableCompileCache` enables the cache only in this thread. Node enables it in the other threads,
// such as the one that writes the database, when this variable is set.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url))
enableCompileCache(process.env.NODE_COMPILE_CACHE)
const { main } = await import('./commands.ts')
process.exitCode = await main(process.argv.slice(2))
