/** The tiers of providers in which the same tokens have another price. */
export const serviceTiers = ['flex', 'priority', 'fast', 'ultrafast'] as const
export type ServiceTier = (typeof serviceTiers)[number]

/** Returns the unit of the ledger in which the tokens of a tier are counted, in addition to the
 *  usual units. */
export function tierUnit(tier: ServiceTier): string {
  return `${tier}_tokens`
}

/** Returns the tier that several answers to one prompt report, as the name that OpenAI's protocols
 *  use for it. */
export function tierNameOf(answers: readonly { tier?: ServiceTier }[]): string {
  return answers.find(({ tier }) => tier !== undefined)?.tier ?? 'default'
}

/** The names of the tiers in requests and answers of OpenAI, Anthropic and Google, in lower
 *  case. OpenAI has two names for one tier: `priority` and `fast`. */
const tiers: Readonly<Record<string, ServiceTier>> = {
  flex: 'flex',
  on_demand_flex: 'flex',
  priority: 'priority',
  fast: 'priority',
  on_demand_priority: 'priority',
  ultrafast: 'ultrafast',
}

/** Returns the tier with this name; undefined for the name of the usual tier and for unknown
 *  names. */
export function serviceTierOf(name: unknown): ServiceTier | undefined {
  if (typeof name !== 'string') return undefined
  const key = name.toLowerCase().replace(/^service_tier_/, '')
  return Object.hasOwn(tiers, key) ? tiers[key] : undefined
}
