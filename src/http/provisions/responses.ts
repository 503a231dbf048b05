import { responseOwner } from '../call/response-owner.ts'
import type { Provision } from './provision.ts'

export const responses: Provision<'responses'> = ({ deps, call }) => deps.responses.at(responseOwner(call), () => call.signal())
