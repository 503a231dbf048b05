/** The part of `gateway doctor` that shows how each target of the configuration file handles
 *  conversations: whether the gateway relays them, translates them or emulates a feature, and
 *  whether the upstream or the gateway stores the responses. */
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { Driver } from '@generation-gateway/kit/requests/job.ts'
import { type TextProtocol, textProtocols } from '@generation-gateway/kit/requests/text-protocol.ts'
import type { CatalogueModel, Target } from '../../core/routing/catalogue.ts'
import { table } from '../terminal.ts'

/** Features that some servers lack, each with a request that uses the feature, in the protocols
 *  `chat` and `responses`. When a target cannot take that request unchanged, the gateway emulates
 *  the feature. */
const features: readonly [name: string, bodies: { [P in TextProtocol]?: JsonObject }][] = [
  [
    'free-text tools',
    { chat: { tools: [{ type: 'custom', custom: { name: 'run' } }] }, responses: { tools: [{ type: 'custom', name: 'run' }] } },
  ],
  [
    'allowed_tools',
    {
      chat: { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } } },
      responses: { tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } },
    },
  ],
  [
    'single tool calls',
    {
      chat: { tools: [{ type: 'function', function: { name: 'run' } }], parallel_tool_calls: false },
      responses: { tools: [{ type: 'function', name: 'run' }], parallel_tool_calls: false },
    },
  ],
  ['verbosity', { chat: { verbosity: 'low' }, responses: { text: { verbosity: 'low' } } }],
  ['efforts beside low, medium and high', { chat: { reasoning_effort: 'minimal' }, responses: { reasoning: { effort: 'minimal' } } }],
]

/** Returns a table with a row for each target of a text model; undefined when there is none. When
 *  the settings do not say whether the server of a target stores responses, the gateway finds this
 *  out by a request to the server. */
export async function conversationTable(
  models: readonly CatalogueModel[],
  upstreams: ReadonlyMap<string, Driver>,
): Promise<string | undefined> {
  const targets = models.filter(model => model.capability === 'text.respond').flatMap(model => model.targets)
  if (targets.length === 0) return undefined
  const rows = await Promise.all(
    targets.map(async target => {
      const upstream = upstreams.get(target.driver)
      return [target.id, ...(upstream ? await rowOf(upstream, target) : ['answered here', 'kept here', ''])]
    }),
  )
  return table(['target', 'conversations', 'stored responses', 'emulated'], rows)
}

async function rowOf(driver: Driver, { settings, model, unusable }: Target): Promise<string[]> {
  const problem = unusable ?? driver.unusable?.(settings, model)
  if (problem !== undefined) return [`cannot be used: ${problem}`, '', '']
  const relayed = textProtocols.filter(protocol => driver.relays?.[protocol]?.accepts({}, settings))
  const emulated = features.filter(([, bodies]) =>
    relayed.some(protocol => bodies[protocol] && !driver.relays?.[protocol]?.accepts(bodies[protocol], settings)),
  )
  return [
    waysOf(relayed),
    relayed.includes('responses') ? await placeOf(driver, settings) : 'kept here',
    emulated.map(([name]) => name).join(', '),
  ]
}

/** Returns a text that lists the protocols that are relayed, and says into which protocol the
 *  gateway translates all others. */
function waysOf(relayed: readonly TextProtocol[]): string {
  const [first] = relayed
  if (first === undefined) return 'translated'
  return `${relayed.join(', ')} relayed${relayed.length < textProtocols.length ? `; others translated to ${first}` : ''}`
}

async function placeOf({ relays }: Driver, settings: JsonObject): Promise<string> {
  const keeps = relays?.responses?.keeps
  const isKept = keeps ? await keeps(settings) : true
  if (isKept === undefined) return 'by the server, as it seems: it did not tell; set stateless'
  return isKept ? 'kept by the server' : 'kept here'
}
