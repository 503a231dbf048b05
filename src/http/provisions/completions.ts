import { responseOwner } from '../call/response-owner.ts'
import type { Provision } from './provision.ts'

export const completions: Provision<'completions'> = ({ deps, call }) =>
  deps.responses.completionsAt(responseOwner(call), () => call.signal())
