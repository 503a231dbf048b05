/** Rules that involve several fields of a body that creates a response; they also apply to relayed
 *  bodies. */
import type { Rule } from '../../contract/operation.ts'
import { isExpiryAllowed } from './expiry.ts'
import type { CreateBody } from './request.ts'

export const noConversation: Rule<Pick<CreateBody, 'conversation'>> = {
  id: 'no-conversation',
  says: 'conversation is not offered; continue a stored response with previous_response_id.',
  field: 'conversation',
  source: 'ours',
  holds: body => body.conversation === undefined || body.conversation === null,
}

export const createRules: Rule<CreateBody>[] = [
  noConversation,
  {
    id: 'stored-background',
    says: 'A response that is made in the background has to be stored.',
    field: 'store',
    source: 'ours',
    holds: body => body.background !== true || body.store !== false,
    explain: () => 'store is false; a response that is made in the background has to be stored.',
  },
  {
    id: 'expiry',
    says: 'expire_at is after now and at most 7 days ahead.',
    field: 'expire_at',
    source: 'ours',
    holds: body => typeof body.expire_at !== 'number' || isExpiryAllowed(body.expire_at, Date.now()),
    explain: body => `expire_at is ${body.expire_at}; it must be after now (${Math.floor(Date.now() / 1000)}) and at most 7 days ahead.`,
  },
]
