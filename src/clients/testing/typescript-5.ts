/** Loaded into the process of a client generator (`--import`): gives it the TypeScript version that
 *  it needs. The project's own version 7 has no such programming interface, and npm installs only
 *  one copy beside the generators. */
import { registerHooks } from 'node:module'

const typescript = import.meta.resolve('typescript-5')

registerHooks({ resolve: (specifier, context, next) => next(specifier === 'typescript' ? typescript : specifier, context) })
