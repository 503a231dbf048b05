/** Test bench that runs the driver against a fake ComfyUI server. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, objectOf } from '@generation-gateway/kit/json.ts'
import type { ImageEditRequest, ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import type { Done, Driver, InputFile, Job, Outcome, PolledOffer, Running } from '@generation-gateway/kit/requests/job.ts'
import sharp from 'sharp'
import { driverTools } from '../../../../testing/driver-tools.ts'
import { comfyuiDriver } from '../driver.ts'
import { FakeComfyUi } from './fake-comfyui.ts'

export const textToImage = join(import.meta.dirname, '../fixtures/text-to-image.json')
export const imageToImage = join(import.meta.dirname, '../fixtures/image-to-image.json')
export const maxPictureBytes = 50_000
export const apiKey = 'sk-comfy-secret-0123'

export const generate: ImageGenerateRequest = {
  prompt: 'a "cat"\nwith {{seed}}',
  negativePrompt: 'dogs',
  width: 768,
  height: 640,
  count: 1,
  seed: '9223372036854775807',
  expandPrompt: false,
  safetyTolerance: 2,
  format: 'png',
}
export const edit: ImageEditRequest = { prompt: 'bluer', seed: '5', expandPrompt: false, safetyTolerance: 0, format: 'png' }

/** Returns a picture of this colour and size, as ComfyUI's SaveImage node writes it. */
export function png(colour: string, width = 12, height = 8): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: colour } })
    .png()
    .toBuffer()
}

/** Returns the prompt ids in a handle. */
export function promptIds({ promptIds: ids }: JsonObject): string[] {
  assert.ok(Array.isArray(ids))
  return ids.map(String)
}

export class ComfyBench {
  readonly server = new FakeComfyUi()
  readonly driver: Driver
  scratch = ''

  constructor() {
    this.driver = this.openDriver()
  }

  openDriver(): Driver {
    return comfyuiDriver({ repeatAfterMs: [0, 0], maxPictureBytes }).open(driverTools())
  }

  async open(): Promise<void> {
    await this.server.listen()
    this.scratch = await mkdtemp(join(tmpdir(), 'comfyui-driver-'))
  }

  async close(): Promise<void> {
    await Promise.all([this.server.close(), this.driver.close?.(), rm(this.scratch, { recursive: true })])
  }

  settings(changes: JsonObject = {}): JsonObject {
    return { base_url: this.server.baseUrl, api_key: apiKey, workflow: textToImage, ...changes }
  }

  job<Request>(request: Request, changes: Partial<Job<Request>> = {}): Job<Request> {
    return {
      id: 'task-1',
      request,
      inputs: [],
      scratch: this.scratch,
      model: 'sd15',
      settings: this.settings(),
      attempt: 1,
      signal: new AbortController().signal,
      progress: () => {},
      ...changes,
    }
  }

  drawing(driver = this.driver): PolledOffer<ImageGenerateRequest, unknown> {
    const offer = driver.offers['image.generate']
    assert.equal(offer?.kind, 'polled')
    return offer
  }

  editing(): PolledOffer<ImageEditRequest, unknown> {
    const offer = this.driver.offers['image.edit']
    assert.equal(offer?.kind, 'polled')
    return offer
  }

  /** Starts a drawing, checks that the server accepted it, and returns its handle. */
  async started(changes: Partial<Job<ImageGenerateRequest>> = {}): Promise<JsonObject> {
    const started = await this.drawing().start(this.job(generate, changes))
    assert.equal(started.state, 'started', JSON.stringify(started))
    return started.handle
  }

  check(handle: JsonObject, changes: Partial<Job<ImageGenerateRequest>> = {}): Promise<Running | Outcome> {
    return this.drawing().check(this.job(generate, changes), handle)
  }

  async done(handle: JsonObject, changes: Partial<Job<ImageGenerateRequest>> = {}): Promise<Done> {
    const seen = await this.check(handle, changes)
    assert.equal(seen.state, 'done', JSON.stringify(seen))
    return seen
  }

  /** Returns the inputs of a node in the last submitted workflow. */
  sentInputs(node: string): JsonObject {
    return objectOf(objectOf(objectOf(JSON.parse(this.sentText()).prompt)[node]).inputs)
  }

  sentText(): string {
    return this.server.requests('/prompt').at(-1)?.text ?? ''
  }

  submits(): number {
    return this.server.requests('/prompt').length
  }

  /** Writes a copy of a fixture workflow with these inputs, titles and classes changed, and returns
   *  its path. */
  async workflow(fixture: string, changes: Record<string, { inputs?: JsonObject; title?: string; class_type?: string }>): Promise<string> {
    const graph = objectOf(JSON.parse(await readFile(fixture, 'utf8')))
    for (const [id, { inputs, title, class_type }] of Object.entries(changes)) {
      const node = objectOf(graph[id])
      const changed = { ...objectOf(node.inputs), ...inputs }
      graph[id] = {
        class_type: class_type ?? node.class_type,
        inputs: changed,
        _meta: title === undefined ? node._meta : { title },
      }
    }
    const path = join(this.scratch, 'workflow.json')
    await writeFile(path, JSON.stringify(graph))
    return path
  }

  async input(bytes: Buffer, size: { width?: number; height?: number } = {}): Promise<InputFile> {
    const path = join(this.scratch, 'input')
    await writeFile(path, bytes)
    return { path, role: 'image', mediaType: 'image/png', bytes: bytes.length, ...size }
  }
}
