/** A family that exists only in tests (the probe family). Each of its operations uses a different
 *  possibility that the contract between families and the gateway offers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import Type from 'typebox'
import type { CallContext } from '../contract/context.ts'
import { defaultFailure } from '../contract/failure.ts'
import { defineFamily, implement, operation } from '../contract/family.ts'
import {
  Base64Of,
  BytesReply,
  base64Field,
  FileReply,
  RedirectReply,
  type ReplyFrame,
  StreamedReply,
  TextReply,
} from '../contract/replies.ts'
import { namedObject, optional } from '../contract/schemas.ts'
import type { InlinePart, Task } from '../core/records/task.ts'
import { nested, seen } from './probe-nested.ts'

const kibi = 1024
const picture = { mediaTypes: ['image/png', 'image/jpeg'], maxBytes: 64 * kibi, minSide: 2, maxSide: 400, ratio: { least: 1 / 4, most: 4 } }
const large = { ...picture, maxBytes: 4096 * kibi, maxSide: 1000 }
const base = '/v1/ai/{endpoint}/probe'
const state = namedObject('ProbeTask', { id: Type.String(), state: Type.String(), title: optional.string() })
const accepted = namedObject('ProbeAccepted', { id: Type.String() })
const url = namedObject('ProbeStatusUrl', { statusUrl: Type.String() })
const drawn = namedObject('ProbeDrawn', { id: Type.String(), pictures: Type.Array(base64Field('A picture.')) })
const kept = namedObject('ProbeFile', { id: Type.String(), bytes: Type.Integer(), purpose: Type.String() })
const song = Type.Object({ lyrics: Type.String({ minLength: 1 }) })

export const probe = defineFamily({
  id: 'PROBE',
  title: 'Probe',
  source: 'tests',
  description: 'Every shape of the contract.',
  models: [
    { id: 'probe-plain', title: 'Plain', capability: 'image.generate', group: 'plain' },
    { id: 'probe-tiny', title: 'Tiny', capability: 'image.generate', group: 'tiny' },
  ],
  groupOf: ({ params, query }) => (params.format === 'tiny' || query.group === 'tiny' ? 'tiny' : 'plain'),
  taskPrefix: 'video_',
  routeOptions: Type.Object(
    { response_shape: Type.Optional(Type.Union([Type.Literal('R1'), Type.Literal('R2')])) },
    { additionalProperties: false },
  ),
  sections: { probe_words: Type.Array(Type.String()) },
  deadlineMs: 60_000,
  linkLifetimeMs: 60_000,
  keepMs: 60_000,
  failure: defaultFailure,
  operations: {
    create: operation({
      operationId: 'createProbe',
      method: 'POST',
      path: `${base}/videos`,
      summary: 'Two files of a role, in multipart or at any depth of JSON',
      source: 'ours',
      choosesModel: { in: 'body', name: 'model_name' },
      body: {
        kinds: ['multipart', 'json'],
        schema: Type.Object({
          prompt: Type.String({ minLength: 1, maxLength: 100 }),
          seconds: Type.Integer({ minimum: 4, maximum: 12, default: 4 }),
          loud: Type.Boolean({ default: false }),
          model_name: optional.string(),
          reference: optional.array(
            Type.String({ minLength: 1, file: { role: 'reference', ...picture, groups: { tiny: { maxSide: 8 } } } }),
            { maxItems: 2 },
          ),
          instances: optional.array(
            Type.Object({ image: Type.Object({ bytes: Type.String({ file: { role: 'first-frame', ...large } }) }) }),
            { maxItems: 2 },
          ),
          reference_id: optional.string(),
          file_id: optional.string(),
        }),
      },
      needs: ['files'],
      reply: { schema: accepted },
      examples: [],
    }),
    draw: operation({
      operationId: 'drawProbe',
      method: 'POST',
      path: `${base}/draw`,
      summary: 'Made while the caller waits: files in base64, at the end or as they come',
      source: 'ours',
      choosesModel: true,
      body: {
        schema: Type.Object({
          prompt: Type.String({ minLength: 1 }),
          count: Type.Integer({ minimum: 1, maximum: 4, default: 1 }),
          stream: Type.Boolean({ default: false }),
          model: optional.string(),
        }),
      },
      reply: {
        schema: drawn,
        stream: { says: 'Previews and pictures as they come.', event: namedObject('ProbeEvent', {}) },
      },
      examples: [],
    }),
    upload: operation({
      operationId: 'uploadProbe',
      method: 'POST',
      path: `${base}/files`,
      summary: 'A file for later',
      source: 'ours',
      body: {
        kinds: ['multipart'],
        schema: Type.Object({ file: Type.String({ minLength: 1, file: { role: 'reference', ...picture } }), purpose: Type.String() }),
      },
      needs: ['files'],
      reply: { schema: kept },
      examples: [],
    }),
    files: operation({
      operationId: 'listProbeFiles',
      method: 'GET',
      path: `${base}/files`,
      summary: 'Files of the account',
      source: 'ours',
      needs: ['files'],
      reply: { schema: namedObject('ProbeFiles', { data: Type.Array(kept) }) },
      examples: [],
    }),
    dropFile: operation({
      operationId: 'deleteProbeFile',
      method: 'DELETE',
      path: `${base}/files/{file_id}`,
      summary: 'A file that is not wanted any more',
      source: 'ours',
      needs: ['files'],
      reply: { schema: namedObject('ProbeFileDeleted', { deleted: Type.Boolean() }) },
      examples: [],
    }),
    get: operation({
      operationId: 'getProbe',
      method: 'GET',
      path: `${base}/videos/{video_id}`,
      aliases: ['/v1/probe/{video_id}'],
      summary: "An own id in the path, or the caller's reference",
      source: 'ours',
      readsTask: { parameter: 'video_id', in: 'path', orReference: true },
      reply: { schema: state },
      examples: [],
    }),
    remove: operation({
      operationId: 'deleteProbe',
      method: 'DELETE',
      path: `${base}/videos/{video_id}`,
      summary: "A DELETE of the family's own",
      source: 'ours',
      needs: ['taskEnding'],
      reply: { schema: namedObject('ProbeDeleted', { deleted: Type.Boolean() }) },
      examples: [],
    }),
    content: operation({
      operationId: 'getProbeContent',
      method: 'GET',
      path: `${base}/videos/{video_id}/content`,
      summary: 'A stored file',
      source: 'ours',
      failsWith: ['task_not_found', 'gone'],
      reply: { others: [{ kind: 'file', mediaTypes: ['image/png'], says: 'The file.' }] },
      examples: [],
    }),
    operationTask: operation({
      operationId: 'getProbeOperation',
      method: 'POST',
      path: `${base}/operation`,
      summary: 'The id in the body',
      source: 'ours',
      readsTask: { parameter: 'operationName', in: 'body' },
      body: { schema: Type.Object({ operationName: Type.String({ minLength: 1 }) }) },
      reply: { schema: state },
      examples: [],
    }),
    speakNow: operation({
      operationId: 'speakProbe',
      method: 'POST',
      path: `${base}/narrate/{format}`,
      when: { accept: 'application/octet-stream' },
      summary: 'Text in, bytes out as they are made',
      source: 'ours',
      body: {
        kinds: ['text'],
        schema: Type.Object({ text: Type.String({ minLength: 1, maxLength: 200 }), type: Type.String() }),
        text: { mediaTypes: ['text/plain', 'application/x-www-form-urlencoded', 'text/vtt'], field: 'text', typeField: 'type' },
      },
      reply: {
        others: [{ kind: 'bytes', mediaTypes: ['audio/mpeg'], says: 'The sound.' }],
        headers: { 'x-duration-seconds': Type.Number() },
      },
      examples: [],
    }),
    speakLater: operation({
      operationId: 'startProbeSpeech',
      method: 'POST',
      path: `${base}/narrate/{format}`,
      summary: 'The same path for a task with an open status page',
      source: 'ours',
      choosesModel: { in: 'query', name: 'voice_model' },
      query: Type.Object({ voice_model: optional.string(), group: optional.string() }),
      body: {
        kinds: ['text', 'form'],
        schema: Type.Object({ text: Type.String({ minLength: 1 }) }),
        text: { mediaTypes: ['text/plain'], field: 'text' },
      },
      reply: { schema: url },
      examples: [],
    }),
    status: operation({
      operationId: 'getProbeStatus',
      method: 'GET',
      path: `${base}/status/{task_id}`,
      access: 'signed',
      summary: 'A page for whoever has its link',
      source: 'ours',
      reply: { schema: state },
      examples: [],
    }),
    songCreate: operation({
      operationId: 'createProbeSong',
      method: 'POST',
      path: `${base}/music`,
      when: { query: { action: 'song_generate' } },
      summary: 'An action form',
      source: 'ours',
      choosesModel: true,
      body: { schema: song },
      reply: { schema: accepted },
      examples: [],
    }),
    lyricsCheck: operation({
      operationId: 'checkProbeLyrics',
      method: 'POST',
      path: `${base}/music`,
      when: { query: { action: 'check' } },
      summary: 'Another action',
      source: 'ours',
      body: { schema: song },
      reply: { schema: seen },
      examples: [],
    }),
    nested,
    transcribe: operation({
      operationId: 'transcribeProbe',
      method: 'POST',
      path: `${base}/transcriptions:transcribe`,
      summary: 'A colon of its own; text or JSON by a field',
      source: 'ours',
      body: {
        kinds: ['multipart'],
        schema: Type.Object({
          file: Type.String({
            minLength: 1,
            file: { role: 'audio', mediaTypes: ['audio/wav'], maxBytes: 64 * kibi, duration: { most: 2 } },
          }),
          format: Type.Union([Type.Literal('json'), Type.Literal('srt')], { default: 'json' }),
          definition: optional.object({ channels: Type.Array(Type.Integer()) }),
          include: optional.array(Type.String()),
        }),
      },
      reply: { schema: seen, others: [{ kind: 'text', mediaTypes: ['application/x-subrip'], says: 'With format srt.' }] },
      examples: [],
    }),
    export: operation({
      operationId: 'exportProbe',
      method: 'GET',
      path: `${base}/export/{name}`,
      summary: 'A GET that creates, and says where it is',
      source: 'ours',
      getWrites: true,
      choosesModel: { in: 'path', name: 'name' },
      reply: { others: [{ kind: 'redirect', mediaTypes: [], says: 'To what was made.' }] },
      examples: [],
    }),
    about: operation({
      operationId: 'aboutProbe',
      method: 'GET',
      path: `${base}/about`,
      access: 'open',
      summary: 'Anybody may ask',
      source: 'ours',
      needs: ['section'],
      reply: { schema: namedObject('ProbeAbout', { words: Type.Array(Type.String()), shape: Type.String() }) },
      examples: [],
    }),
    shape: operation({
      operationId: 'getProbeShape',
      method: 'GET',
      path: `${base}/shape`,
      summary: "The route's option",
      source: 'ours',
      reply: { schema: namedObject('ProbeShape', { shape: Type.String() }) },
      examples: [],
    }),
  },
})

const drawing = { width: 1, height: 1, count: 1, seed: '1', expandPrompt: false, safetyTolerance: 2, format: 'png' } as const

async function submit(context: CallContext, prompt: string, further: Partial<Parameters<CallContext['submit']>[0]> = {}) {
  const task = await context.submit({ capability: 'image.generate', request: { ...drawing, prompt }, ...further })
  return { id: context.publicId(task) }
}

async function* framesOf(parts: AsyncIterable<InlinePart<'image.generate'>>): AsyncGenerator<ReplyFrame> {
  for await (const part of parts) {
    if (part.type === 'event' && part.event.type === 'preview')
      yield { event: 'preview', data: { words: Buffer.from(part.event.bytes).toString() } }
    if (part.type === 'file') yield { event: 'picture', data: { picture: new Base64Of(part.artifact) } }
    if (part.type === 'finish') yield { event: 'done', data: { id: part.task.id } }
  }
}

function shown(context: CallContext, task: Task) {
  return { id: context.publicId(task), state: task.state }
}

export const probeEntry = implement(probe, {
  create: async (context, { body, files }) => {
    const stored = body.file_id === undefined ? undefined : await context.files.get(body.file_id)
    if (body.file_id !== undefined && !stored)
      throw new GatewayError('invalid_request', `file_id is ${body.file_id}; there is no such file.`, { field: 'file_id' })
    const inputs = stored ? [{ stored, role: 'reference' }] : files
    return submit(context, body.prompt, { inputs, ...(body.reference_id === undefined ? {} : { clientReference: body.reference_id }) })
  },
  draw: async (context, { body }) => {
    const parts = context.run({ capability: 'image.generate', request: { ...drawing, prompt: body.prompt, count: body.count } })
    if (body.stream) return new StreamedReply(framesOf(parts))
    const pictures: Base64Of[] = []
    let id = ''
    for await (const part of parts) {
      if (part.type === 'file') pictures.push(new Base64Of(part.artifact))
      if (part.type === 'finish') ({ id } = part.task)
    }
    return { id, pictures }
  },
  upload: async (context, { body, files: [file] }) => {
    if (!file) throw new TypeError('the schema asks for a file')
    const stored = await context.files.keep(file, { purpose: body.purpose, lifetimeMs: 60_000 })
    return { id: stored.id, bytes: stored.facts.bytes, purpose: stored.purpose }
  },
  files: async context => ({
    data: (await context.files.list({ limit: 10 })).map(({ id, facts, purpose }) => ({ id, bytes: facts.bytes, purpose })),
  }),
  dropFile: async (context, { params }) => ({ deleted: await context.files.remove(params.file_id ?? '') }),
  get: async (context, { params }) => shown(context, await context.task(params.video_id ?? '')),
  remove: async (context, { params }) => ({ deleted: (await context.taskEnding.cancel(params.video_id ?? '')).state === 'cancelled' }),
  content: async (context, { params }) => {
    const task = await context.task(params.video_id ?? '')
    const output = task.artifacts.find(({ kind }) => kind === 'output')
    return output ? new FileReply(output) : new TextReply('text/plain', 'not yet')
  },
  operationTask: async (context, { body }) => shown(context, await context.task(body.operationName)),
  speakNow: async (context, { body }) => {
    context.setHeader('x-duration-seconds', '1.5')
    const words = `${body.type}|${body.text}`.match(/.{1,4}/gs) ?? []
    return new BytesReply(
      'audio/mpeg',
      (async function* () {
        for (const word of words) {
          yield Buffer.from(word)
          // The pause gives a reader of the stream time to see each part alone.
          await sleep(5)
          if (word.includes('#')) throw new Error('the voice broke')
        }
      })(),
    )
  },
  speakLater: async (context, { body }) => {
    const { id } = await submit(context, body.text)
    return { statusUrl: context.signedUrl('status', { task_id: id }, 60_000) }
  },
  status: async (context, { params }) => shown(context, await context.task(params.task_id ?? '')),
  songCreate: (context, { body }) => submit(context, body.lyrics),
  lyricsCheck: async (_context, { body }) => ({ body, files: [] }),
  nested: async (_context, { body }) => ({ body, files: [] }),
  transcribe: async (_context, { body, files }) => {
    if (body.format === 'srt') return new TextReply('application/x-subrip', '1\n00:00:00,000 --> 00:00:01,000\nHello\n')
    return { body: { ...body, file: '' }, files: files.map(({ role, field }) => ({ role, field })) }
  },
  export: async (context, { params }) => {
    const { id } = await submit(context, params.name ?? '')
    return new RedirectReply(`${context.publicUrl}/v1/ai/${context.endpoint}/probe/videos/${id}`)
  },
  about: async context => ({
    words: context.section<string[]>('probe_words') ?? [],
    shape: String(context.route.settings?.response_shape),
  }),
  shape: async context => ({ shape: String(context.route.settings?.response_shape ?? 'R2') }),
})
