/** Tests rules that involve several fields, and missing files: a neutral request that breaks a
 *  rule must be refused in the same way as a request of the family itself. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { type Recorded, recordingDriver } from '../../testing/fakes/recording-driver.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway.ts'
import { families } from '../index.ts'
import { exampleSound } from '../shared/sound-fields.ts'

const runs = '/v1/ai/default/gateway/runs'
const recorded: Recorded[] = []
let gateway: TestGateway
before(async () => {
  const models = new Map<string, object>()
  for (const { family } of families)
    for (const { id, group } of family.models)
      if (id !== 'studio')
        models.set(id, { id, family: family.id, ...(group === undefined ? {} : { group }), targets: [{ driver: 'recorder' }] })
  models.set('drawer', { id: 'drawer', family: 'images', targets: [{ driver: 'recorder' }] })
  gateway = await startTestGateway({
    drivers: [recordingDriver('recorder', recorded)],
    yaml: JSON.stringify({ models: [...models.values()] }),
  })
})
after(() => gateway[Symbol.asyncDispose]())

const pictures = new Map<string, string>()
async function picture(size: string): Promise<string> {
  const [width = 1, height = 1] = size.split('x').map(Number)
  const made =
    pictures.get(size) ??
    (
      await sharp({ create: { width, height, channels: 3, background: '#3060c0' } })
        .png()
        .toBuffer()
    ).toString('base64')
  pictures.set(size, made)
  return made
}

const usual = { prompt: 'a kite', seed: '7', expandPrompt: false, safetyTolerance: 2 }
const image = { ...usual, format: 'png', width: 1024, height: 1024, count: 1 }
const { width: _width, height: _height, count: _count, ...edit } = image
const video = { ...usual, width: 1280, height: 720, seconds: 8, count: 1, sound: false, watermark: false }
const sd = { ...video, seconds: 5 }
const hd = { ...sd, width: 1920, height: 1080 }
const music = { count: 1, seed: '7' }
const speech = { text: 'Hello.', speed: 1, volume: 0, format: { container: 'mp3' } }
const hearing = { languages: [], temperature: 0, words: false, logprobs: false, profanity: 'kept' }
const triangle = (points: number[]) => ({ regions: [{ width: 600, height: 500, points }] })

interface Case {
  model: string
  capability: string
  request: object
  /** Files to send: `role:WxH` for a picture, or `role:sound`. */
  files?: string[]
}

async function send({ model, capability, request, files = [] }: Case) {
  const contents = files.map(async file => {
    const [, what = ''] = file.split(':')
    return what === 'sound' ? exampleSound : picture(what)
  })
  const body = { version: 1, capability, model, request, roles: files.map(file => file.split(':')[0]), files: await Promise.all(contents) }
  return gateway.call(runs, { body })
}

const passages = [{ text: 'x'.repeat(500), pauseMs: 0 }]
const cues = [{ startMs: 0, endMs: 1_000, text: 'a' }]
const F = 'image.generate'
const E = 'image.edit'
const V = 'video.generate'
const [v31, v2] = ['MaaS_VidV_3.1_generate_preview', 'MaaS_VidV_2_generate']
const omni = 'MaaS_VidK_Omni'
const [song, reasoning] = ['MaaS_Mus_v7.5_generate', 'MaaS_Mus_o1_generate']
const refused: [Case, field: string, says: RegExp][] = [
  [
    { model: 'MaaS_ImgF_KG', capability: F, request: { ...image, aspectRatio: '1:9' } },
    'aspectRatio',
    /breaks a rule of F1: aspect_ratio is 1:9/,
  ],
  [{ model: 'MaaS_ImgF_KE', capability: F, request: image }, 'image', /is required for MaaS_ImgF_KE/],
  [{ model: 'MaaS_ImgF_KE', capability: E, request: edit }, 'image', /is required/],
  [{ model: 'MaaS_ImgB_fast', capability: F, request: { ...image, steps: 40 } }, 'steps', /step is 40; at most/],
  [{ model: 'MaaS_ImgS_N1', capability: F, request: image }, 'width', /size is 1024x1024, 1048576 pixels; N1 takes/],
  [
    { model: 'MaaS_ImgS_N1', capability: F, request: { ...image, width: 2048, height: 2048, tier: { name: '4K', sizes: [] } } },
    'width',
    /size is 4K/,
  ],
  [
    {
      model: 'MaaS_ImgS_N2',
      capability: F,
      request: { ...image, width: 2048, height: 2048, tier: { name: '2K', sizes: [{ width: 64, height: 64 }] } },
    },
    'width',
    /size is 64x64/,
  ],
  [{ model: 'MaaS_ImgS_O2', capability: E, request: edit, files: ['image:64x64', 'image:64x64'] }, 'image', /given 2 times|2 images/],
  [
    { model: 'MaaS_ImgS_N3', capability: E, request: { ...edit, series: true, variants: 15 }, files: ['image:64x64'] },
    'variants',
    /max_images is 15 beside 1/,
  ],
  [
    { model: 'MaaS_ImgS_N1', capability: F, request: { ...image, width: 2048, height: 2048, promptMode: 'fast' } },
    'promptMode',
    /mode is fast/,
  ],
  [
    { model: 'MaaS_Art_v7', capability: E, request: { ...edit, ...triangle([0, 0, 10, 0, 10, 10, 5]) }, files: ['image:64x64'] },
    'regions',
    /as many x as y/,
  ],
  [
    { model: 'MaaS_Art_v7', capability: E, request: { ...edit, ...triangle([0, 0, 601, 0, 10, 10]) }, files: ['image:64x64'] },
    'regions',
    /is 601; at most 600/,
  ],
  [{ model: 'drawer', capability: F, request: { ...image, width: 32 } }, 'width', /size is 32x1024/],
  [
    { model: 'MaaS_VidS_2', capability: V, request: video, files: ['first-frame:640x360'] },
    'first-frame',
    /640x360; it has to be 1280x720/,
  ],
  [{ model: v31, capability: V, request: { ...video, prompt: ' ' } }, 'prompt', /prompt is required/],
  [{ model: v2, capability: V, request: { ...video, sound: true } }, 'sound', /generateAudio is true/],
  [{ model: v2, capability: V, request: { ...video, fit: 'crop' }, files: ['first-frame:640x360'] }, 'fit', /resizeMode is of/],
  [{ model: v2, capability: V, request: { ...video, width: 1920, height: 1080 } }, 'width', /resolution is 1080p; the model takes 720p/],
  [{ model: v31, capability: V, request: { ...video, width: 8192, height: 8192 } }, 'width', /resolution is 8192x8192/],
  [{ model: v31, capability: V, request: { ...video, seconds: 600 } }, 'seconds', /duration 600 seconds/],
  [{ model: v31, capability: V, request: { ...video, count: 5 } }, 'count', /sample count 5/],
  [{ model: v31, capability: V, request: { ...video, seconds: 6 }, files: ['reference:64x64'] }, 'seconds', /duration 6 seconds/],
  [{ model: v31, capability: V, request: video, files: ['style:64x64'] }, 'style', /mix of reference images/],
  [{ model: v2, capability: V, request: video, files: ['last-frame:64x64'] }, 'last-frame', /lastFrame is of/],
  [
    { model: 'MaaS_VidV_3_generate_preview', capability: V, request: video, files: ['reference:64x64'] },
    'reference',
    /referenceImages are of/,
  ],
  [
    { model: 'MaaS_VidH_02', capability: V, request: { ...video, width: 1920, height: 1080, seconds: 10 } },
    'seconds',
    /10 seconds are made in 768P only/,
  ],
  [{ model: 'MaaS_VidH_02', capability: V, request: { ...video, prompt: '', seconds: 6 } }, 'prompt', /prompt is required/],
  [
    { model: 'MaaS_VidH_02', capability: V, request: { ...video, seconds: 6 }, files: ['last-frame:400x400'] },
    'last-frame',
    /needs firstFrameImage/,
  ],
  [{ model: 'MaaS_VidH_Video_i2v', capability: V, request: { ...video, seconds: 6 } }, 'first-frame', /is required for/],
  [{ model: 'MaaS_VidK_V2.6', capability: V, request: { ...hd, grade: 'standard' } }, 'grade', /mode is std/],
  [{ model: 'MaaS_VidK_V2.1', capability: V, request: hd }, 'first-frame', /text2video takes/],
  [{ model: 'vidk-v1', capability: V, request: { ...sd, seconds: 10, camera: [{ zoom: 3 }] } }, 'camera', /camera_control goes with/],
  [
    { model: 'vidk-v1', capability: V, request: { ...sd, grade: 'standard', camera: [{ zoom: 3, pan: 1 }] } },
    'camera',
    /2 numbers that are not 0/,
  ],
  [
    { model: 'vidk-v1', capability: V, request: { ...sd, seconds: 10 }, files: ['first-frame:400x400', 'last-frame:400x400'] },
    'last-frame',
    /image with image_tail goes with/,
  ],
  [{ model: 'MaaS_VidK_V2.1', capability: V, request: sd, files: ['last-frame:400x400'] }, 'first-frame', /only beside image/],
  [{ model: 'vidk-v1', capability: V, request: { ...sd, seconds: 10 }, files: ['last-frame:400x400'] }, 'last-frame', /image_tail alone/],
  [
    {
      model: 'vidk-v1',
      capability: V,
      request: {
        ...sd,
        paths: [
          [
            { x: 1, y: 1 },
            { x: 401, y: 1 },
          ],
        ],
      },
      files: ['first-frame:400x400', 'motion-mask:400x400'],
    },
    'paths',
    /x is 401; at most 400/,
  ],
  [
    { model: 'vidk-v1', capability: V, request: { ...sd, paths: [[{ x: 1, y: 1 }]] }, files: ['first-frame:400x400'] },
    'paths',
    /1 files of the role motion-mask; there are 0/,
  ],
  [{ model: omni, capability: V, request: { ...hd, shots: [{ prompt: 'a', seconds: 3 }] } }, 'shots', /lasts 3 s; duration is 5/],
  [
    { model: omni, capability: V, request: { ...hd, prompt: 'like <<<image_2>>>' }, files: ['reference:400x400'] },
    'prompt',
    /<<<image_2>>>/,
  ],
  [{ model: omni, capability: V, request: hd, files: ['last-frame:400x400'] }, 'reference', /end_frame and no first_frame/],
  [
    { model: omni, capability: V, request: { ...hd, subjects: [{ name: 'Sunny', pictures: 2 }] }, files: ['subject:400x400'] },
    'subjects',
    /2 files of the role subject; there are 1/,
  ],
  [
    { model: song, capability: 'music.song', request: { ...music, lyrics: 'la', prompt: 'folk' }, files: ['melody:sound'] },
    'melody',
    /melody_id and prompt exclude|melody_id lasts/,
  ],
  [{ model: song, capability: 'music.instrumental', request: music }, 'prompt', /prompt is required/],
  [
    { model: song, capability: 'music.instrumental', request: { ...music, lyrics: 'la', prompt: 'folk' } },
    'lyrics',
    /lyrics is a field of songs/,
  ],
  [{ model: reasoning, capability: 'music.song', request: { ...music, lyrics: 'la', stream: true } }, 'stream', /stream is true/],
  [{ model: 'tts-1', capability: 'speech.synthesize', request: { ...speech, text: '\uD800' } }, 'text', /surrogate/],
  [
    {
      model: 'tts-1',
      capability: 'speech.synthesize',
      request: { ...speech, text: '', passages: [{ text: 'x'.repeat(4_097), pauseMs: 0 }] },
    },
    'text',
    /4097 characters; at most 4096/,
  ],
  [
    {
      model: 'tts_multilingual_v2',
      capability: 'speech.synthesize',
      request: { ...speech, text: '', cues: [{ startMs: 0, endMs: 1, text: 'x'.repeat(10_001) }] },
    },
    'text',
    /at most 10000/,
  ],
  [
    {
      model: 'MaaS_Speech_N',
      capability: 'speech.synthesize',
      request: { ...speech, text: '', cues: [...cues, { startMs: 1, endMs: 2, text: 'x'.repeat(10_001) }] },
    },
    'cues',
    /has a cue of 10001 characters; at most 10000/,
  ],
  // The request has both `cues` and `passages`. It is refused, because the engine would speak the
  // passages but the caller would be charged for the characters of the cues.
  [{ model: 'tts-1', capability: 'speech.synthesize', request: { ...speech, text: '', cues, passages } }, 'passages', /beside cues/],
  [{ model: 'tts-1', capability: 'speech.synthesize', request: { ...speech, cues } }, 'text', /it must be empty/],
  [{ model: 'tts-1', capability: 'speech.synthesize', request: { ...speech, cues: [] } }, 'cues', /at least 1/],
  [
    { model: 'whisper-1', capability: 'audio.translate', request: { ...hearing, targets: ['en', 'fr'] }, files: ['audio:sound'] },
    'targets',
    /targets are en, fr/,
  ],
  [{ model: 'whisper-1', capability: 'audio.transcribe', request: hearing }, 'audio', /is required/],
  [
    {
      model: 'gpt-4o-transcribe-diarize',
      capability: 'audio.transcribe',
      request: { ...hearing, speakers: { names: ['a', 'a'] } },
      files: ['audio:sound', 'speaker:sound'],
    },
    'speakers',
    /2 files of the role speaker/,
  ],
  [
    { model: 'gpt-4o-transcribe', capability: 'audio.translate', request: { ...hearing, targets: ['en'] }, files: ['audio:sound'] },
    'model',
    /whisper-1 is the model that translates/,
  ],
  [
    { model: 'fast-transcription', capability: 'audio.transcribe', request: { ...hearing, channels: [0, 0] }, files: ['audio:sound'] },
    'channels',
    /channels are different ones/,
  ],
  [
    { model: 'short-recognition', capability: 'audio.transcribe', request: { ...hearing, languages: ['xx-XX'] }, files: ['audio:sound'] },
    'languages',
    /recognitionLanguages has "xx-XX"/,
  ],
  [
    {
      model: 'speech-translation',
      capability: 'audio.translate',
      request: { ...hearing, languages: ['de-DE'], targets: [] },
      files: ['audio:sound'],
    },
    'targets',
    /targetLanguages has 0 languages/,
  ],
  [
    { model: 'search-keyword', capability: 'search.keyword', request: { keyword: 'tea', page: 1, pageSize: 10, platform: 'plat_z' } },
    'platform',
    /mediaType is "plat_z"/,
  ],
  [
    { model: 'search-vertical', capability: 'search.vertical', request: { topic: 'war', platform: 'plat_a', days: 7 } },
    'topic',
    /type is "war"/,
  ],
]

test('a request that breaks a rule of its model’s family is refused, names the field, and nothing runs', async () => {
  const before = recorded.length
  const wrong: string[] = []
  for (const [call, field, says] of refused) {
    const { status, body } = await send(call)
    const { code, param, message } = body.error ?? {}
    if (status === 400 && code === 'invalid_request' && param === field && says.test(message)) continue
    wrong.push(`${call.model} ${JSON.stringify(call.request).slice(0, 150)}: ${status} ${param}, not ${field}: ${message}`)
  }
  assert.deepEqual(wrong, [])
  assert.equal(recorded.length, before, 'something ran')
  assert.deepEqual((await gateway.admin('/admin/usage/open')).body.lines, [])
})
