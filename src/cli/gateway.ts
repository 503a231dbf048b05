/** Where the program begins. Compiled code is kept in `node_modules/.cache` and used by later
 *  starts: it is switched on before the first import of our own. `NODE_COMPILE_CACHE` names
 *  another folder, `NODE_DISABLE_COMPILE_CACHE=1` keeps none; a folder that cannot be written
 *  costs only the speed. */
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

// V8 guesses from the first requests which objects live long and makes those in the old generation.
// Those of a request never do: there they would keep everything they refer to until a full
// collection (docs/decisions/0042 has the figures).
setFlagsFromString('--no-allocation-site-pretenuring')
enableCompileCache(process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
const { main } = await import('./commands.ts')
process.exitCode = await main(process.argv.slice(2))
