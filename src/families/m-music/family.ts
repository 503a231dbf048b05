/** Family M (docs/interface/sound.md#m): songs, instrumentals, and the uploads that they can
 *  use. */

import type { ErrorCode, GatewayError } from '@generation-gateway/kit/errors.ts'
import { dayMs, minuteMs } from '@generation-gateway/kit/units.ts'
import Type, { type TObject } from 'typebox'
import { errorObject, gatewayError } from '../../contract/failure.ts'
import { defineFamily, type Failure, operation } from '../../contract/family.ts'
import { namedObject } from '../../contract/schemas.ts'
import { exampleSound } from '../shared/sound-fields.ts'
import { groups, instrumentalByActionRules, instrumentalForm, instrumentalRules, songByActionRules, songForm, songRules } from './rules.ts'
import { bodies, task, upload } from './schema.ts'

/** Milliseconds for which an upload is stored (docs/interface/sound.md#m). */
export const uploadMs = 30 * dayMs

const base = '/v1/ai/{endpoint}/mus'
const usual = (name: string) => [name, 'MaaS_Mus_v7.5_generate'] as const
/** Returns an operation's path, and the vendor's path for it below `/v1`. */
const at = (path: string) => ({ path: `${base}/${path}`, vendorPaths: [`/v1/${path}`] })
const actionPath = `${base}/music`

/** Errors of an upload that does not exist. */
const ofUploads: readonly ErrorCode[] = ['not_found']
const ofTasks: readonly ErrorCode[] = ['task_not_found']

const taskQuery = Type.Object({ task_id: Type.String({ minLength: 1, maxLength: 200, description: 'Id of the task.' }) })

const id = '01kb2v0f5w9h3t8m6q4y7z1xcd'
const trace_id = '6f0c5a1e-2f55-4b39-9d0f-1f0b6a3c9d10'
const begun = { id, taskId: id, created_at: 1795000000, model: 'MaaS_Mus_v7.5_generate', status: 'preparing', trace_id }
const link = (file: string) => `https://gateway.example/files/${file}?exp=1795086400&kid=k1&sig=abc`
const lyrics = '[Verse]\nA light above the bay\nIt calls the boats to stay\n\n[Chorus]\nShine on, shine on'
const songBody = { lyrics, prompt: 'slow folk, cello and acoustic guitar', n: 2 }
const instrumentalBody = { prompt: 'calm piano, rain', n: 1 }
const done = {
  ...begun,
  status: 'succeeded',
  finished_at: 1795000046,
  choices: [
    {
      index: 0,
      id: '01kb2v0g5w9h3t8m6q4y7z1xca',
      url: link('01kb2v0g5w9h3t8m6q4y7z1xca'),
      flac_url: link('01kb2v0g5w9h3t8m6q4y7z1xcb'),
      duration: 141_200,
      lyrics_sections: [
        { section_type: 'verse', start: 1200, end: 4100, lines: [{ start: 1200, end: 4100, text: 'A light above the bay' }] },
      ],
      style: 'slow folk, cello and acoustic guitar',
      seed: 11,
    },
  ],
}
const needs = 'the id of a task that a submit was answered with.'

/** Returns the declaration of an operation that creates a task, at its own path or in calls with
 *  `?action=`. */
const submit = <Body extends TObject>(schema: Body) =>
  ({
    method: 'POST',
    choosesModel: true,
    body: { schema },
    failsWith: ofUploads,
    needs: ['earlyOutputs', 'files'],
    reply: { schema: task },
  }) as const

const uploading = {
  method: 'POST',
  body: { kinds: ['multipart', 'json'], schema: bodies.upload },
  needs: ['files'],
  reply: { schema: upload },
} as const

/** The declaration that all queries share. */
const query = { method: 'GET', needs: ['earlyOutputs'], reply: { schema: task } } as const
const byAction = (action: string) => ({ path: actionPath, when: { query: { action } } }) as const
const actionQueryOf = (action: string) =>
  ({ ...byAction(action), query: taskQuery, readsTask: { parameter: 'task_id', in: 'query' } }) as const
/** Returns the declaration of a query that is sent with POST. The interface does not say which
 *  HTTP method calls with `?action=` use, so queries are accepted with GET and with POST. */
const posted = (action: string) =>
  ({
    path: actionPath,
    when: { query: { action } },
    method: 'POST',
    source: 'ours',
    query: taskQuery,
    failsWith: ofTasks,
    needs: ['earlyOutputs'],
    reply: { schema: task },
  }) as const

export const m = defineFamily({
  id: 'M',
  title: 'Music',
  source: 'docs/interface/sound.md#m',
  description:
    'Asynchronous: a submit answers with a task, and a query gives it again as it then is, at last with its pieces as MP3 and FLAC. What an upload was made for is what it can be used for.',
  models: [
    { id: 'MaaS_Mus_v7.5_generate', title: 'Music', capability: 'music.song', group: groups.usual },
    { id: 'MaaS_Mus_o1_generate', title: 'Songs, thought over', capability: 'music.song', group: groups.reasoning },
  ],
  aliases: {
    ...Object.fromEntries(['auto', 'mureka-5.5', 'mureka-6', 'mureka-7', 'mureka-7.5', 'mureka-7.6', 'mureka-8', 'mureka-9'].map(usual)),
    'mureka-o1': 'MaaS_Mus_o1_generate',
    'mureka-o2': 'MaaS_Mus_o1_generate',
  },
  groupOf: () => groups.usual,
  fieldNames: {
    ...{ count: 'n', style: 'prompt' },
    ...{ reference: 'reference_id', vocal: 'vocal_id', melody: 'melody_id', instrumental: 'instrumental_id' },
  },
  deadlineMs: 15 * minuteMs,
  linkLifetimeMs: dayMs,
  keepMs: 7 * dayMs,
  failure,
  operations: {
    song: operation({
      ...submit(bodies.song),
      operationId: 'createSong',
      ...at('song/generate'),
      summary: 'Make songs of lyrics',
      rules: songRules,
      neutralForm: songForm,
      examples: [{ title: 'Two songs', body: songBody, reply: begun }],
    }),
    songQuery: operation({
      ...query,
      operationId: 'getSong',
      ...at('song/query/{task_id}'),
      summary: 'State and pieces of a song',
      readsTask: { parameter: 'task_id', in: 'path' },
      examples: [{ title: 'One song', path: { task_id: id }, needs, reply: done }],
    }),
    instrumental: operation({
      ...submit(bodies.instrumental),
      operationId: 'createInstrumental',
      ...at('instrumental/generate'),
      summary: 'Make music without a voice',
      rules: instrumentalRules,
      neutralForm: instrumentalForm,
      examples: [{ title: 'A piano', body: instrumentalBody, reply: begun }],
    }),
    instrumentalQuery: operation({
      ...query,
      operationId: 'getInstrumental',
      ...at('instrumental/query/{task_id}'),
      summary: 'State and pieces of an instrumental',
      readsTask: { parameter: 'task_id', in: 'path' },
      examples: [{ title: 'Just begun', path: { task_id: id }, needs, reply: { ...begun, status: 'queued' } }],
    }),
    upload: operation({
      ...uploading,
      operationId: 'uploadMusicFile',
      ...at('files/upload'),
      summary: 'Upload a recording or a tune',
      examples: [
        {
          title: 'A recording',
          body: { file: exampleSound, purpose: 'audio' },
          reply: { id: '01kb2v0f5w9h3t8m6q4y7z1xce', bytes: 124, created_at: 1795000000, filename: 'hum.wav', purpose: 'audio', trace_id },
        },
      ],
    }),
    listen: operation({
      operationId: 'listenToMusic',
      method: 'GET',
      path: `${base}/streams/{task_id}/{piece}`,
      access: 'signed',
      summary: 'Hear a piece while it is made',
      description:
        'The target of `stream_url`. A finished piece is a file, and supports range requests. Until then it plays only on the node that makes it; another node of the same store answers 409 `conflict`.',
      failsWith: ['task_not_found', 'not_found', 'conflict'],
      needs: ['earlyOutputs'],
      reply: {
        others: [
          { kind: 'bytes', mediaTypes: ['audio/mpeg'], says: 'The MP3 from its first byte on, as it is made.' },
          { kind: 'file', mediaTypes: ['audio/mpeg'], says: 'The whole MP3.' },
        ],
        headers: { 'cache-control': Type.String({ description: '`no-store` while it is made.' }) },
      },
      examples: [{ title: 'The first piece', path: { task_id: id, piece: '0' }, needs: 'the `stream_url` of a query.' }],
    }),
    songAction: operation({
      ...submit(bodies.songByAction),
      ...byAction('song_generate'),
      operationId: 'createSongByAction',
      summary: 'Make songs of lyrics',
      rules: songByActionRules,
      examples: [{ title: 'Two songs', body: songBody, reply: begun }],
    }),
    instrumentalAction: operation({
      ...submit(bodies.instrumentalByAction),
      ...byAction('instrumental_generate'),
      operationId: 'createInstrumentalByAction',
      summary: 'make music without a voice',
      rules: instrumentalByActionRules,
      examples: [],
    }),
    uploadAction: operation({
      ...uploading,
      ...byAction('file_upload'),
      operationId: 'uploadMusicFileByAction',
      summary: 'upload a recording or a tune',
      examples: [],
    }),
    songQueryAction: operation({
      ...query,
      ...actionQueryOf('song_query'),
      operationId: 'getSongByAction',
      summary: 'State and pieces of a song',
      examples: [{ title: 'One song', query: { task_id: id }, needs, reply: done }],
    }),
    instrumentalQueryAction: operation({
      ...query,
      ...actionQueryOf('instrumental_query'),
      operationId: 'getInstrumentalByAction',
      summary: 'of an instrumental',
      examples: [],
    }),
    songQueryPosted: operation({
      ...posted('song_query'),
      operationId: 'querySongByAction',
      summary: 'state and pieces of a song',
      examples: [],
    }),
    instrumentalQueryPosted: operation({
      ...posted('instrumental_query'),
      operationId: 'queryInstrumentalByAction',
      summary: 'of an instrumental',
      examples: [],
    }),
  },
})

const errorBody = namedObject('MusicError', { error: gatewayError, trace_id: Type.String({ description: 'As `error.request_id`.' }) })

function failure(error: GatewayError, requestId: string): Failure {
  return { status: error.status, schema: errorBody, body: { error: errorObject(error, requestId), trace_id: requestId } }
}
