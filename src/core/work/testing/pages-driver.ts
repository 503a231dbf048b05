/** A driver for tests, whose upstream delivers three pages of a picture book: two while it runs,
 *  and the last with the outcome. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { streamed } from '@generation-gateway/kit/driver.ts'
import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Job, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import { fakeImageDriver } from '../../../testing/fakes/fake-driver.ts'

/** Returns a driver that waits for `turnPage` after each page. The name of each page contains
 *  the number of the try that created it. */
export function pagesDriver(turnPage: (attempt: number) => Promise<void>) {
  return fakeImageDriver(
    'pages',
    streamed(
      async function* (job) {
        for (const number of [1, 2]) {
          yield { type: 'file', file: await pageOf(job, number) }
          await turnPage(job.attempt)
        }
        const report = { seed: job.request.seed, prompt: job.request.prompt, notDrawn: [] }
        yield {
          type: 'outcome',
          outcome: { state: 'done', files: [await pageOf(job, 3)], report, usage: [{ unit: 'images', units: 3 }] },
        }
      },
      { isRepeatable: true },
    ),
  )
}

async function pageOf({ scratch, attempt }: Job<ImageGenerateRequest>, number: number): Promise<OutputFile> {
  const path = join(scratch, `page-${number}.txt`)
  await writeFile(path, `page ${number} of try ${attempt}`)
  return { path, role: number === 1 ? 'cover' : 'page', mediaType: 'text/plain' }
}
