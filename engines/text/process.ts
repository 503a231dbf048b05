/** The child process of the text engine: opens one model and answers requests. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { sealCompileCache } from '@generation-gateway/kit/process/compile-cache.ts'
import { exitWithParent } from '@generation-gateway/kit/process/watchdog.ts'
import type { ChildCounts, FromChild, ModelSettings, ToChild } from './messages.ts'
import { openModel } from './model.ts'
import { Serving } from './serving.ts'

const noCounts: ChildCounts = { steps: 0, tokens: 0, widest: 0, running: 0, waiting: 0, rssBytes: 0 }
exitWithParent()

/** Resolves when the model is open. Requests that arrive earlier wait for it and keep their
 *  order. */
const { promise: serving, resolve: opened } = Promise.withResolvers<Serving>()

process.on('message', (message: ToChild) => {
  if (message.kind === 'open') void open(message.model)
  else if (message.kind === 'warm') void serving.then(conversations => conversations.warm())
  else if (message.kind === 'ask') void serving.then(conversations => conversations.ask(message))
  else void serving.then(conversations => conversations.cancel(message.id))
})
process.on('disconnect', () => process.exit(0))

async function open(model: ModelSettings): Promise<void> {
  try {
    const ready = await openModel(model, text => process.stderr.write(`${text}\n`))
    sealCompileCache()
    opened(new Serving(ready, model.threads, send))
    const { contextSize, longestTokenBytes } = ready
    send({ items: [{ kind: 'ready', limits: { contextSize, longestTokenBytes } }], counts: noCounts })
  } catch (error) {
    const message = error instanceof GatewayError ? error.message : `${model.name} cannot be opened.`
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
    send({ items: [{ kind: 'broken', message }], counts: noCounts })
  }
}

function send(message: FromChild): void {
  process.send?.(message)
}
