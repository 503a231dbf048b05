/** Loaded into a generator's process (`--import`): it gets the TypeScript that it is made for. The project's own, 7, has no such programming interface, and npm
 *  puts one of them beside the generators. */
import { registerHooks } from 'node:module'

const typescript = import.meta.resolve('typescript-5')

registerHooks({ resolve: (specifier, context, next) => next(specifier === 'typescript' ? typescript : specifier, context) })
