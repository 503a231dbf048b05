/** A fake driver for video that the test controls. Its files only have the beginning of an MP4
 *  file and cannot be played. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DriverSpec, defineDriver, once } from '@generation-gateway/kit/driver.ts'
import type { Done, Job, Offer, OutputFile } from '@generation-gateway/kit/requests/job.ts'
import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import Type from 'typebox'
import { onePixelPng } from './fake-driver.ts'

export type VideoJob = Job<VideoGenerateRequest>

export interface FakeVideoOptions {
  /** Receives each job that runs. */
  jobs?: VideoJob[]
  /** How the driver runs jobs; the default runs `doneClip`. */
  offer?: Offer<VideoGenerateRequest>
  slots?: number
}

/** Returns a driver with this id that serves video.generate and supports every field except
 *  `lossless`. */
export function fakeVideoDriver(id: string, { jobs = [], offer, slots = 4 }: FakeVideoOptions = {}): DriverSpec {
  const title = `Fake ${id}`
  const settings = Type.Object({})
  const clip: Offer<VideoGenerateRequest> = {
    ...once<VideoGenerateRequest>(async job => {
      jobs.push(job)
      return doneClip(job)
    }),
    follows: ['elements', 'ownShots', 'promptMode'],
  }
  return defineDriver({
    id,
    title,
    kind: 'upstream',
    settings,
    open: () => ({ id, title, queue: { name: `fake:${id}`, slots }, offers: { 'video.generate': offer ?? clip } }),
  })
}

/** Returns the outcome of a job: a file for each requested video, a copy with a watermark for
 *  each if requested, and a thumbnail of the first. */
export async function doneClip({ request, inputs, scratch }: VideoJob): Promise<Done> {
  const { width, height, seed, prompt, count, watermark, framesPerSecond = 24 } = request
  const seconds = inputs.find(({ role }) => role === 'base')?.durationSeconds ?? request.seconds
  const facts = { mediaType: 'video/mp4', width, height, durationSeconds: seconds, framesPerSecond }
  const files: OutputFile[] = []
  for (let i = 0; i < count; i++) {
    for (const role of watermark ? ['video', 'watermarked'] : ['video']) {
      const path = join(scratch, `${role}-${i}.mp4`)
      await writeFile(path, tinyMp4(`${role} ${i}: ${prompt}`))
      files.push({ role, path, ...facts })
    }
  }
  const thumbnail = join(scratch, 'thumbnail.png')
  await writeFile(thumbnail, onePixelPng)
  files.push({ role: 'thumbnail', path: thumbnail, mediaType: 'image/png', width: 1, height: 1 })
  return { state: 'done', files, report: { seed, prompt, filtered: [] }, usage: [{ unit: 'seconds', units: count * seconds }] }
}

/** Returns bytes that begin like an MP4 file and contain these words in place of a video. */
export function tinyMp4(words: string): Buffer {
  const box = (type: string, inside: Buffer): Buffer => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + inside.length)
    head.write(type, 4, 'latin1')
    return Buffer.concat([head, inside])
  }
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1')), box('mdat', Buffer.from(words))])
}
