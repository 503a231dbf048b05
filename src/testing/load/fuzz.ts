/** Uploads damaged files of every format to a gateway. */
import { randomNumbers } from '@generation-gateway/kit/random.ts'
import { mutationOf } from '@generation-gateway/kit/testing/mutations.ts'
import { sendParts } from '../multipart.ts'

export interface Fuzz {
  /** Address of a gateway that serves family R3 with a model that accepts anything. */
  url: string
  samples: ReadonlyMap<string, Buffer>
  seed: number
  count: number
  /** Number of concurrent requests. */
  atOnce: number
  headers?: Record<string, string>
  seen(answer: { name: string; file: Buffer; status: number; text: string; ms: number }): void
}

/** Configuration of the gateway to which `fuzz` sends files. */
export const fuzzYaml = 'models: [{ id: fast-transcription, family: R3, targets: [{ driver: ears }] }]'

/** Sends `count` damaged files, which are mutations of the samples in turn, and passes each
 *  answer to `seen`. The same seed produces the same files. */
export async function fuzz({ url, samples, seed, count, atOnce, headers = {}, seen }: Fuzz): Promise<void> {
  const random = randomNumbers(seed)
  const all = [...samples]
  let sent = 0
  const send = async () => {
    while (sent < count) {
      const [name, sample] = all[sent % all.length] ?? ['', Buffer.alloc(0)]
      sent += 1
      const file = mutationOf(sample, random)
      const began = performance.now()
      const { status, bytes } = await sendParts(`${url}/speechtotext/transcriptions:transcribe?api-version=2024-11-15`, [['audio', file]], {
        headers,
      })
      seen({ name, file, status, text: bytes.toString('utf8', 0, 500), ms: performance.now() - began })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, send))
}
