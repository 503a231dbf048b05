/** Entry point of a child process for speech, which analyses texts and speaks. */
import { serveEngine } from '@generation-gateway/kit/process/child.ts'
import { type Chunk, type FrontEnd, openFrontEnd } from './language/index.ts'
import type { ReadAnswer, ReadJob } from './messages.ts'
import { hasten, speak } from './speak.ts'

let frontEnd: FrontEnd | undefined
const texts = new Map<string, AsyncIterator<Chunk>>()

async function read({ id, text, files }: ReadJob): Promise<ReadAnswer> {
  frontEnd ??= openFrontEnd(name => {
    const path = files[name]
    if (path === undefined) throw new TypeError(`the file ${name} was not given`)
    return path
  })
  if (text) texts.set(id, frontEnd.chunks(text)[Symbol.asyncIterator]())
  const chunks = texts.get(id)
  if (!chunks) throw new Error('a text that was not given, or to another process')
  const next = await chunks.next()
  if (!next.done) return { chunk: next.value }
  texts.delete(id)
  return {}
}

/** Discards a text whose remaining chunks are not needed. */
async function leave({ id }: { id: string }): Promise<void> {
  const chunks = texts.get(id)
  texts.delete(id)
  await chunks?.return?.()
}

serveEngine({ read, leave, speak, hasten })
