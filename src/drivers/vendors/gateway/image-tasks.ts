/** Pictures of another gateway: a task there for each job here, through the family that has a field for everything asked. */
import { polled } from '@generation-gateway/kit/driver.ts'
import { type Json, type JsonObject, textOf } from '@generation-gateway/kit/json.ts'
import { extrasLeftOut } from '@generation-gateway/kit/requests/extras.ts'
import type { ImageField, ImageResult } from '@generation-gateway/kit/requests/image.ts'
import type { Job, Outcome, OutputFile, PolledOffer } from '@generation-gateway/kit/requests/job.ts'
import { type ArtworkMade, usualArtworkVersion, versionIn } from '../../shared/image/artwork.ts'
import { drawn } from '../../shared/image/drawn-pictures.ts'
import { fieldsNamed, refusalNamed } from '../../shared/image/image-words.ts'
import { fetchPicture, lookAndFetch, type SeenTask } from '../../shared/image/picture-file.ts'
import { refusalBy } from '../../shared/refusal.ts'
import { answerBehind } from '../../shared/upstream/upstream-failures.ts'
import { keptAs } from './f4.ts'
import { settings } from './settings.ts'
import { startTask, type TaskStart, type TaskTools } from './start-task.ts'
import { noTask, owner, ownWords, type ReadyPictures, seenTask } from './task-answer.ts'
import { maxAnswerBytes, tasksPath, waitsOf } from './task-paths.ts'
import { type AnyImageRequest, groupOf, sizeAsked, type Way } from './way.ts'
import { type ImageCapability, wayBy, wayOf } from './ways.ts'

interface Task<Request> {
  tools: TaskTools
  job: Job<Request>
  capability: ImageCapability
  handle: JsonObject
}

const lookMs = 120_000
/** Enough for all jobs of a node: a look costs the other gateway 50 us. */
const looksPerSecond = 100
/** Four bytes for each of the 16,777,216 pixels families allow, and as much again for what a format adds. */
const maxPictureBytes = 128 * 1024 * 1024

export function imageTasks<Request extends AnyImageRequest>(tools: TaskTools, capability: ImageCapability): PolledOffer<Request> {
  return polled<Request>({
    isIdempotent: true,
    pollEveryMs: 1_000,
    looksPerSecond,
    refuses: asked => refusalBy(() => wayOf({ capability, asked })),
    start: job => startTask({ tools, job, way: startOf(wayOf({ capability, asked: job })) }),
    check: (job, handle) => {
      const task = { tools, job, capability, handle }
      return lookAndFetch(
        () => look(task),
        pictures => outcomeOf(task, pictures),
      )
    },
    cancel: async (job, handle) => {
      try {
        await ask({ tools, job, capability, handle }, 'DELETE')
      } catch (error) {
        // Nothing is left to stop.
        if (!isTaskGone(error)) throw error
      }
    },
  })
}

function startOf<Request extends AnyImageRequest>(way: Way<Request>): TaskStart<Request> {
  return {
    ...way,
    idIn: answer => textOf(answer[way.idIn]),
    named: (error, { request }) => refusalNamed(way.words, error, sizeAsked(request)),
  }
}

async function look<Request extends AnyImageRequest>(task: Task<Request>): Promise<SeenTask<ReadyPictures>> {
  try {
    const { request, settings: given } = task.job
    return seenTask(await ask(task, 'GET'), { request: sizeAsked(request), secrets: settings.targetOf(given).whole.secrets })
  } catch (error) {
    if (isTaskGone(error)) return noTask()
    throw error
  }
}

async function ask<Request>({ tools: { upstream }, job, handle }: Task<Request>, method: 'GET' | 'DELETE'): Promise<Json> {
  const waits = waitsOf(job)
  const path = `${tasksPath}/${encodeURIComponent(String(handle.id))}`
  const limits = { ...waits, timeoutMs: waits.firstByteMs + lookMs, maxBytes: maxAnswerBytes }
  const { whole } = settings.targetOf(job.settings)
  return (await upstream.json(whole, { method, path, isStored: true, signal: job.signal, ...limits })).body
}

async function outcomeOf<Request extends AnyImageRequest>(task: Task<Request>, ready: ReadyPictures): Promise<Outcome> {
  const { tools, job, capability, handle } = task
  const { origin } = settings.targetOf(job.settings).whole
  const files: OutputFile[] = []
  for (const [index, url] of ready.urls.entries()) {
    const { guard, inspection } = tools
    const fetching = { guard, inspection, job, origin, owner, maxBytes: maxPictureBytes, name: `picture-${index}` }
    const file = await fetchPicture(fetching, url)
    if ('state' in file) return file
    files.push(file)
  }
  const way = wayBy<Request>(capability, handle.family)
  const { seed, prompt, notDrawn, refused } = ready
  const report: ImageResult = {
    ...{ seed, prompt, notDrawn, notFollowed: notFollowed(task, way, ready) },
    ...(refused.length > 0 ? { refused } : {}),
  }
  return { ...drawn(files, report), ...(way.continues ? { detail: { [keptAs]: madeIn(task, ready) } } : {}) }
}

/** What the model there did not follow, what its family has no field for, and a seed that is another one. */
function notFollowed<Request extends AnyImageRequest>(
  { job, capability }: Task<Request>,
  way: Way<Request>,
  ready: ReadyPictures,
): ImageField[] {
  const { request } = job
  const follows = way.follows(groupOf(job))
  const leftOut = extrasLeftOut(capability, { follows: [...follows] }, Object(request))
  const named = [...leftOut, ...(ready.seed === request.seed ? [] : ['seed'])]
  return [...new Set([...ready.notFollowed, ...fieldsNamed(ownWords, named, sizeAsked(request))])]
}

/** Where the pictures are there: those that were refused have numbers, too. */
function madeIn<Request extends AnyImageRequest>({ job, handle }: Task<Request>, { urls, refused }: ReadyPictures): ArtworkMade {
  const withheld = new Set(refused.map(({ picture }) => picture))
  const pictures = Array.from({ length: urls.length + withheld.size }, (_, index) => index).filter(index => !withheld.has(index))
  const flags = 'flags' in job.request ? job.request.flags : undefined
  return { jobId: String(handle.id), pictures, version: versionIn(flags) ?? parentVersion(job) ?? usualArtworkVersion }
}

/** Of the picture that was redrawn or enlarged. */
function parentVersion<Request>({ inputs }: Job<Request>): number | undefined {
  const kept: JsonObject = Object(inputs[0]?.origin?.detail[keptAs])
  return typeof kept.version === 'number' ? kept.version : undefined
}

function isTaskGone(error: unknown): boolean {
  return answerBehind(error)?.upstreamCode === 'task_not_found'
}
