/** Uploads the inputs of a job to the vendor. Uploads cost nothing; the submit that follows refers
 *  to them by id. */

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { objectOf } from '@generation-gateway/kit/json.ts'
import type { InputFile, Job } from '@generation-gateway/kit/requests/job.ts'
import type { MusicRequest } from '@generation-gateway/kit/requests/music.ts'
import { soundAs } from '../../shared/sound/convert-sound.ts'
import { beforeSubmit } from '../../shared/upstream/before-submit.ts'
import { postBody } from '../../shared/upstream/post-body.ts'
import { idOf } from '../../shared/upstream/read-json.ts'
import { formBody } from '../../shared/upstream/sent-body.ts'
import type { ServiceTools } from '../../shared/upstream/service-driver.ts'
import { owner, settings } from './settings.ts'
import { type InputRole, inputRoles, type Kind } from './submits.ts'

const maxAnswerBytes = 64 * 1024
/** File extensions by media type, for the files that are uploaded unchanged: the vendor recognizes
 *  a file by its extension (docs/vendors/mureka.md#uploads). Files of other types are converted to
 *  MP3. */
const endings: Readonly<Record<string, string>> = { 'audio/mpeg': 'mp3', 'audio/mp4': 'm4a', 'audio/midi': 'mid' }
/** Number of seconds at the beginning of an input that the vendor uses, by role of the input. */
const heardSeconds: Record<InputRole, number> = { reference: 30, vocal: 30, melody: 60, instrumental: 30 }

/** Uploads the job's inputs and returns the vendor's ids of them, by role. Every error is thrown as
 *  by `beforeSubmit`, because the paid submit has not been sent yet. */
export async function uploadInputs(tools: ServiceTools, kind: Kind, job: Job<MusicRequest>): Promise<Map<InputRole, string>> {
  const ids = new Map<InputRole, string>()
  for (const role of inputRoles[kind]) {
    const input = job.inputs.find(each => each.role === role)
    if (!input) continue
    ids.set(role, await beforeSubmit(async () => upload(tools, job, { role, input: await usable(role, input, job) })))
  }
  return ids
}

async function usable(role: InputRole, input: InputFile, { scratch, signal }: Job<MusicRequest>): Promise<InputFile> {
  if (Object.hasOwn(endings, input.mediaType)) return input
  const path = join(scratch, `${role}.mp3`)
  const format = { container: 'mp3' } as const
  await soundAs(input.path, { format, toFile: path, scratch, signal, firstSeconds: heardSeconds[role], field: role })
  return { role, path, mediaType: 'audio/mpeg', bytes: (await stat(path)).size }
}

async function upload(
  { upstream }: ServiceTools,
  { settings: given, signal }: Job<MusicRequest>,
  { role, input }: { role: InputRole; input: InputFile },
): Promise<string> {
  const { upstream: target, waits } = settings.targetOf(given)
  const body = formBody({ purpose: role }, { field: 'file', name: `${role}.${endings[input.mediaType]}`, input })
  return postBody({ upstream, target, path: '/files/upload', body, signal, owner, ...waits }, async answer => {
    const id = idOf(objectOf(await answer.json(maxAnswerBytes)).id)
    if (id !== undefined) return id
    throw new GatewayError('upstream_error', `${owner} did not name the file it stored.`)
  })
}
