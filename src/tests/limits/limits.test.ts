/** Limits of every family, tested over HTTP: a request at a limit is accepted, and a request
 *  beyond it is refused with a message that names the field. */
import { after, before, test } from 'node:test'
import { defineDriver, once, streamed } from '@generation-gateway/kit/driver.ts'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { capabilities } from '@generation-gateway/kit/requests/capabilities.ts'
import Type from 'typebox'
import { families } from '../../families/index.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { assertDefaults, assertLimits } from '../../testing/limit-table.ts'
import { extensionTables } from './extensions.ts'
import { pictureTables } from './pictures.ts'
import { soundTables } from './sound.ts'
import { textTables } from './text.ts'
import { videoTables } from './videos.ts'

const byDriver = 'the driver of this test has it'
const fail = async () => {
  throw new GatewayError('not_implemented', byDriver)
}
async function* failAtFirst() {
  yield await fail()
}
/** A driver that offers every capability and fails every run. A request that reaches it was
 *  therefore accepted by the gateway. */
const taker = defineDriver({
  id: 'taker',
  title: 'Taker',
  kind: 'upstream',
  settings: Type.Object({}),
  open: () => ({
    id: 'taker',
    title: 'Taker',
    queue: { name: 'taker', slots: 4 },
    offers: Object.fromEntries(
      Object.entries(capabilities).map(([name, facts]) => [
        name,
        {
          ...(name === 'text.respond' ? streamed<never>(failAtFirst) : once<never>(fail)),
          follows: 'extras' in facts ? Object.keys(facts.extras) : [],
        },
      ]),
    ),
  }),
})
const models = families.flatMap(({ family }) =>
  family.models.map(({ id, group }) => ({ id, family: family.id, ...(group === undefined ? {} : { group }) })),
)
const yaml = JSON.stringify({
  models: [...models, { id: 'text', family: ['chat', 'responses'] }].map(model => ({ ...model, targets: [{ driver: 'taker' }] })),
})

let gateway: TestGateway
before(async () => {
  gateway = await startTestGateway({ yaml, drivers: [taker] })
})
after(() => gateway[Symbol.asyncDispose]())

const tables = [...pictureTables, ...videoTables, ...soundTables, ...textTables, ...extensionTables]
for (const table of tables)
  test(`${table.operationId}: every limit of the interface is enforced`, () => assertLimits(gateway, table, byDriver))

test('every default of the interface is described', async () => {
  const { body } = await gateway.call('/openapi.json')
  for (const table of tables) assertDefaults(body, table)
})
