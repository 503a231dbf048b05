/** A fake driver for images: the test supplies the answers. */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DriverSpec, defineDriver } from '@generation-gateway/kit/driver.ts'
import type { JsonObject } from '@generation-gateway/kit/json.ts'
import type { UsageUnits } from '@generation-gateway/kit/requests/capability.ts'
import type { ImageEvent, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Done, Job, Offer, Offers } from '@generation-gateway/kit/requests/job.ts'
import Type from 'typebox'

/** Returns a driver with this id that serves `image.generate` as `offer` says. It runs up to
 *  `slots` jobs at a time. */
export function fakeImageDriver(id: string, offer: Offer<ImageGenerateRequest, ImageEvent>, slots = 4): DriverSpec {
  return fakeImagesDriver(id, { 'image.generate': offer }, slots)
}

/** Returns a driver with this id that serves the image capabilities in `offers`. */
export function fakeImagesDriver(
  id: string,
  offers: Pick<Offers, 'image.generate' | 'image.edit' | 'image.upscale'>,
  slots = 4,
): DriverSpec {
  const title = `Fake ${id}`
  const settings = Type.Object({})
  return defineDriver({ id, title, kind: 'upstream', settings, open: () => ({ id, title, queue: { name: `fake:${id}`, slots }, offers }) })
}

/** Returns the text of a configuration file in which this driver serves the model `fake` of
 *  family F1. */
export function fakeModelYaml(driver: string, model = 'fake'): string {
  return `models:\n  - { id: ${model}, family: F1, group: P, targets: [{ driver: ${driver} }] }\n`
}

/** Writes the smallest valid PNG, of one pixel, and returns it as the outcome of a job. */
export async function donePixel(job: Job<Pick<ImageGenerateRequest, 'prompt' | 'seed'>>): Promise<Done> {
  const path = join(job.scratch, 'pixel.png')
  await writeFile(path, onePixelPng)
  return {
    state: 'done',
    files: [{ path, mediaType: 'image/png', width: 1, height: 1 }],
    report: { seed: job.request.seed, prompt: job.request.prompt, notDrawn: [] },
    usage: [{ unit: 'images', units: 1 }],
  }
}

export const onePixelPng = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Asserts that a run returned the one-pixel picture and this report, and that its usage is one
 *  picture, one pixel and then `tokens`. */
export function assertPixel(done: Done, report: JsonObject, tokens: readonly UsageUnits[] = []): void {
  assert.deepEqual(done.report, report)
  assert.deepEqual(
    done.files.map(({ mediaType, width, height }) => [mediaType, width, height]),
    [['image/png', 1, 1]],
  )
  assert.deepEqual(done.usage, [{ unit: 'images', units: 1 }, { unit: 'pixels', units: 1 }, ...tokens])
}
