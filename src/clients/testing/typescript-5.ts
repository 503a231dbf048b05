/** A module that is loaded into the process of a client generator (`--import`) and gives the
 *  generator version 5 of TypeScript. The generators use TypeScript's programming interface. The
 *  project's version 7 does not have this interface, and npm would install only one version
 *  where the generators search for the package. */
import { registerHooks } from 'node:module'

const typescript = import.meta.resolve('typescript-5')

registerHooks({ resolve: (specifier, context, next) => next(specifier === 'typescript' ? typescript : specifier, context) })
