/** Shows the account in family T3 as ElevenLabs' clients expect it. */

import type { Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import type { KeyUsage } from '../../contract/needs/key-usage.ts'
import { unixSeconds } from '../shared/task-answers.ts'
import type { subscriptionReply, userReply } from './service-schema.ts'

/** Stands for "no limit": the largest signed 32-bit integer, because some clients cannot parse a
 *  larger one. */
const unlimited = 2 ** 31 - 1

export async function userOf(context: CallContext<'keyUsage'>): Promise<Static<typeof userReply>> {
  const usage = await context.keyUsage({})
  return {
    user_id: usage.account,
    workspace_id: usage.account,
    first_name: usage.key.name,
    subscription: subscriptionOf(usage),
    is_new_user: false,
    can_use_delayed_payment_methods: false,
    is_onboarding_completed: true,
    is_onboarding_checklist_completed: true,
    is_api_key_hashed: true,
    seat_type: 'workspace_member',
    created_at: 0,
  }
}

export function subscriptionOf({ quotas, totals, currency }: KeyUsage): Static<typeof subscriptionReply> {
  const [tightest] = quotas.filter(({ unit }) => unit === 'characters').sort((a, b) => a.atMost - a.used - (b.atMost - b.used))
  const spoken = totals.reduce((sum, { unit, units }) => (unit === 'characters' ? sum + units : sum), 0)
  const resets = tightest === undefined || tightest.window === 'total' ? null : unixSeconds(tightest.endsAt)
  return {
    tier: 'gateway',
    character_count: Math.round(tightest?.used ?? spoken),
    character_limit: Math.min(unlimited, Math.floor(tightest?.atMost ?? unlimited)),
    max_character_limit_extension: null,
    max_credit_limit_extension: 0,
    can_extend_character_limit: false,
    allowed_to_extend_character_limit: false,
    next_character_count_reset_unix: resets,
    voice_slots_used: 0,
    professional_voice_slots_used: 0,
    professional_voice_slots_used_in_workspace: 0,
    voice_limit: 0,
    voice_add_edit_counter: 0,
    professional_voice_limit: 0,
    can_extend_voice_limit: false,
    can_use_instant_voice_cloning: false,
    can_use_professional_voice_cloning: false,
    current_overage: { amount: '0', currency },
    status: 'active',
    next_invoice: null,
    open_invoices: [],
    has_open_invoices: false,
  }
}
