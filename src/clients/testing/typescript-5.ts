/** A module that is loaded into the process of a client generator (`--import`) and gives the
 *  generator version 5 of TypeScript. The generators use TypeScript's programming interface,
 *  which the project's version 7 does not have, and npm would install only one version beside
 *  them. */
import { registerHooks } from 'node:module'

const typescript = import.meta.resolve('typescript-5')

registerHooks({ resolve: (specifier, context, next) => next(specifier === 'typescript' ? typescript : specifier, context) })
