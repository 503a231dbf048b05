/** Makes a client generator use version 5 of TypeScript: it is loaded into the process of the
 *  generator with `--import`. The generators need the programming interface of TypeScript, which
 *  version 7 does not have. The project installs version 7 as `typescript` and version 5 as
 *  `typescript-5`, but the generators import `typescript`. */
import { registerHooks } from 'node:module'

const typescript = import.meta.resolve('typescript-5')

registerHooks({ resolve: (specifier, context, next) => next(specifier === 'typescript' ? typescript : specifier, context) })
