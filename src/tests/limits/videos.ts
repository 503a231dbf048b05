/** Limits of families S, V, H, K and M (docs/interface/videos.md), written by hand from the
 *  interface and not copied from our schemas. */
import { until } from '@generation-gateway/kit/testing/until.ts'
import { flag, items, type LimitTable, length, needed, range, values, words } from '../../testing/limit-table.ts'
import { dataUrl, padded, picture } from './samples.ts'

const MiB = 1024 * 1024
const strict = '/v1/ai/default'
const [small, square300, square299] = await Promise.all([picture(64, 64), picture(300, 300), picture(299, 300)])

const s: LimitTable = {
  operationId: 'createVideo',
  path: `${strict}/videos`,
  in: 'multipart',
  base: { prompt: 'x' },
  rows: [
    needed('prompt'),
    words('size', ['720x1280', '1280x720'], { default: '720x1280' }),
    words('seconds', ['4', '8', '12'], { default: '4' }),
    values('seconds', { refuses: ['3', '5', '13'] }),
    values('input_reference', {
      accepts: await bytesOf(picture(720, 1280), picture(720, 1280, 'jpeg'), picture(720, 1280, 'webp')),
      refuses: await bytesOf(picture(719, 1280), picture(720, 1281), picture(1280, 720), picture(720, 1280, 'gif')),
    }),
  ],
}

async function bytesOf(...pictures: Promise<string>[]): Promise<Buffer[]> {
  return (await Promise.all(pictures)).map(base64 => Buffer.from(base64, 'base64'))
}

const media = { bytesBase64Encoded: await picture(1280, 720), mimeType: 'image/png' }
const asset = { image: media, referenceType: 'asset' }
const ofV = (id: string, further: object = {}) => ({ beside: { model: `MaaS_VidV_${id}`, ...further } })
const v: LimitTable = {
  operationId: 'generateVideo',
  path: `${strict}/vidv/videos/generate`,
  base: { instances: [{ prompt: 'x' }], parameters: { durationSeconds: 8 } },
  // In this family, many faults of a request are reported only when the task is polled, with code
  // 3.
  isRefusedLater: async (gateway, answer) => {
    const operation = await until(async () => {
      const { body } = await gateway.call(`${strict}/vidv/videos/task`, { body: { operationName: JSON.parse(answer).name } })
      return body.done ? body : undefined
    }, 'the end of the operation')
    return operation.error?.code === 3
  },
  rows: [
    needed('instances'),
    needed('instances[0].prompt'),
    values('instances[0].prompt', { accepts: [undefined] }, { beside: { instances: [{ image: media }] } }),
    words('parameters.aspectRatio', ['16:9', '9:16'], { default: '16:9' }),
    words('parameters.compressionQuality', ['optimized', 'lossless'], { default: 'optimized' }),
    words('parameters.durationSeconds', [4, 6, 8], ofV('3_generate_preview')),
    values('parameters.durationSeconds', { refuses: [3, 5, 7, 9] }, ofV('3.1_generate_preview')),
    range('parameters.durationSeconds', [5, 8], ofV('2_generate')),
    flag('parameters.enhancePrompt', { default: true }),
    flag('parameters.generateAudio', ofV('3_generate_preview')),
    words('parameters.personGeneration', ['allow_adult', 'dont_allow'], { default: 'allow_adult' }),
    words('parameters.resizeMode', ['pad', 'crop'], { beside: { instances: [{ prompt: 'x', image: media }] } }),
    words('parameters.resolution', ['720p', '1080p', '4k'], { default: '720p', ...ofV('3.1_generate_preview') }),
    values('parameters.resolution', { accepts: ['1080p'], refuses: ['4k'] }, ofV('3_generate_preview')),
    range('parameters.sampleCount', [1, 4]),
    range('parameters.seed', [0, 4294967295]),
    items('instances[0].referenceImages', [0, 3], asset),
    values(
      'instances[0].referenceImages',
      { accepts: [[{ ...asset, referenceType: 'style' }]], refuses: [Array(2).fill({ ...asset, referenceType: 'style' })] },
      ofV('2_generate'),
    ),
    values('instances[0].referenceImages[0]', { accepts: [asset], refuses: [{ image: media }] }),
    values('instances[0].referenceImages', { refuses: [[{ ...asset, referenceType: 'style' }]] }),
    values(
      'parameters.durationSeconds',
      { accepts: [8], refuses: [6] },
      { beside: { instances: [{ prompt: 'x', referenceImages: [asset] }] } },
    ),
    values('instances[0].lastFrame', { accepts: [media] }, { beside: { instances: [{ prompt: 'x', image: media }] } }),
    values('instances[0].lastFrame', { refuses: [media] }, ofV('3_generate_preview', { instances: [{ prompt: 'x', image: media }] })),
    values(
      'instances[0].image.mimeType',
      { accepts: ['image/png'], refuses: ['image/gif', undefined] },
      {
        beside: { instances: [{ prompt: 'x', image: media }] },
      },
    ),
    values('instances[0].image', { refuses: [{ mimeType: 'image/png' }, { ...media, gcsUri: 'gs://a/b.png' }] }),
    values('parameters.storageUri', { refuses: ['http://x/y', 'x'] }),
  ],
}

const of301 = dataUrl(await picture(301, 301))
const ofH = (id: string, further: object = {}) => ({ beside: { model: `MaaS_VidH_Video_${id}`, ...further } })
const face = (image: unknown) => [{ type: 'character', image }]
const h: LimitTable = {
  operationId: 'generateClip',
  path: `${strict}/vidh/video/generate`,
  base: { prompt: 'x' },
  rows: [
    needed('prompt'),
    length('prompt', [1, 2000]),
    flag('promptOptimizer', { default: true }),
    flag('fastPretreatment', { default: false }),
    values('fastPretreatment', { refuses: [true] }, ofH('t2v')),
    values('duration', { accepts: [6, 10], refuses: [5, 7, 9, 11] }, { default: 6 }),
    values('duration', { accepts: [6], refuses: [10] }, { beside: { resolution: '1080P' } }),
    words('resolution', ['768P', '1080P'], { default: '768P' }),
    values('firstFrameImage', {
      accepts: [
        of301,
        dataUrl(await picture(400, 1000)),
        dataUrl(await picture(1000, 400)),
        dataUrl(padded(await picture(301, 301), 20 * MiB)),
      ],
      refuses: [
        dataUrl(await picture(300, 301)),
        dataUrl(await picture(301, 300)),
        dataUrl(await picture(400, 1001)),
        dataUrl(await picture(1001, 400)),
        dataUrl(padded(await picture(301, 301), 20 * MiB + 1)),
        dataUrl(await picture(400, 400, 'webp'), 'webp'),
      ],
    }),
    values('firstFrameImage', { accepts: [of301] }, { beside: { prompt: undefined } }),
    needed('firstFrameImage', ofH('i2v')),
    needed('firstFrameImage', ofH('i2v_live')),
    needed('firstFrameImage', ofH('i2v_director')),
    needed('prompt', ofH('t2v_director')),
    values(
      'lastFrameImage',
      {
        accepts: [of301, dataUrl(await picture(400, 400, 'webp'), 'webp')],
        refuses: [dataUrl(await picture(300, 301)), dataUrl(await picture(400, 1001)), dataUrl(await picture(400, 400, 'gif'), 'gif')],
      },
      { beside: { firstFrameImage: of301 } },
    ),
    values('lastFrameImage', { refuses: [of301] }, ofH('t2v', { firstFrameImage: of301 })),
    needed('subjectReference', ofH('s2v')),
    items('subjectReference', [1, 1], face([of301])[0], ofH('s2v')),
    items('subjectReference[0].image', [1, 1], of301, ofH('s2v', { subjectReference: face([of301]) })),
    words('subjectReference[0].type', ['character'], ofH('s2v', { subjectReference: face([of301]) })),
    values(
      'subjectReference',
      { accepts: [face([dataUrl(small)])], refuses: [face([dataUrl(await picture(64, 64, 'webp'), 'webp')])] },
      ofH('s2v'),
    ),
  ],
}

const kBase = { prompt: 'x' }
const ofK = (id: string, further: object = {}) => ({ beside: { model_name: `MaaS_VidK_${id}`, ...further } })
const kCommon = [
  length('negative_prompt', [0, 2500]),
  range('cfg_scale', [0, 1], { step: 0.01, default: 0.5 }),
  ...['V2.1_Master', 'V2.6'].map(id => values('cfg_scale', { refuses: [0.5] }, ofK(id))),
  words('mode', ['std', 'pro']),
  values('mode', { accepts: ['pro'], refuses: ['std'] }, ofK('V2.6')),
  values('mode', { refuses: ['pro'] }, ofK('V2.1_Master')),
  words('sound', ['on', 'off'], { default: 'off', ...ofK('V2.6') }),
  values('sound', { refuses: ['on'] }, ofK('V1.6')),
  words('duration', ['5', '10'], { default: '5' }),
  values('duration', { refuses: ['4', '6', '9', '11'] }),
]
const axes = ['horizontal', 'vertical', 'pan', 'tilt', 'roll', 'zoom']
const shotsBeside = { prompt: undefined, multi_shot: true, shot_type: 'customize', duration: '6' }
const k: LimitTable[] = [
  {
    operationId: 'generateVideoFromText',
    path: `${strict}/vidk/videos/text2video`,
    base: kBase,
    rows: [
      needed('prompt'),
      length('prompt', [1, 2500]),
      ...kCommon,
      words('aspect_ratio', ['16:9', '9:16', '1:1'], { default: '16:9' }),
      values('model_name', { accepts: ['vidk-v1', 'MaaS_VidK_V1.6', 'MaaS_VidK_V2.1_Master', 'MaaS_VidK_V2.6'] }),
    ],
  },
  {
    operationId: 'generateVideoFromText',
    path: `${strict}/vidk/videos/text2video`,
    base: kBase,
    rows: [
      ...axes.map(axis =>
        range(`camera_control.config.${axis}`, [-10, 10], { step: 0.01, beside: { camera_control: { type: 'simple' } } }),
      ),
      values(
        'camera_control.config',
        { accepts: [{ pan: 1 }], refuses: [{ pan: 1, tilt: 1 }] },
        { beside: { camera_control: { type: 'simple' } } },
      ),
      ...['down_back', 'forward_up', 'right_turn_forward', 'left_turn_forward'].flatMap(type => [
        values('camera_control', { accepts: [{ type }] }),
        values('camera_control.config', { refuses: [{ pan: 1 }] }, { beside: { camera_control: { type } } }),
      ]),
      values('camera_control.type', { accepts: ['down_back'], refuses: ['sideways'] }),
    ],
  },
  {
    operationId: 'generateVideoFromImage',
    path: `${strict}/vidk/videos/image2video`,
    base: { image: square300, model_name: 'MaaS_VidK_V1.6' },
    rows: [
      values('image', {
        accepts: [square300, padded(square300, 10 * MiB), await picture(300, 300, 'jpeg')],
        refuses: [square299, await picture(300, 299), padded(square300, 10 * MiB + 1), await picture(300, 300, 'webp'), undefined],
      }),
      length('prompt', [0, 2500]),
      length('negative_prompt', [0, 2500]),
      range('cfg_scale', [0, 1], { step: 0.01, default: 0.5 }),
      words('mode', ['std', 'pro']),
      words('duration', ['5', '10'], { default: '5' }),
    ],
  },
  {
    operationId: 'generateVideoFromImage',
    path: `${strict}/vidk/videos/image2video`,
    base: { image: square300 },
    rows: [
      items('dynamic_masks', [0, 6], {
        mask: square300,
        trajectories: [
          { x: 1, y: 1 },
          { x: 2, y: 2 },
        ],
      }),
      ...[2, 77].map(count =>
        values('dynamic_masks[0].trajectories', { accepts: [points(count)] }, { beside: { dynamic_masks: [{ mask: square300 }] } }),
      ),
      ...[1, 78].map(count =>
        values('dynamic_masks[0].trajectories', { refuses: [points(count)] }, { beside: { dynamic_masks: [{ mask: square300 }] } }),
      ),
    ],
  },
  {
    operationId: 'generateOmniVideo',
    path: `${strict}/vidk/videos/omni-video`,
    base: { prompt: 'x', aspect_ratio: '16:9' },
    rows: [
      length('prompt', [1, 2500]),
      words('aspect_ratio', ['16:9', '9:16', '1:1']),
      needed('aspect_ratio'),
      words(
        'duration',
        Array.from({ length: 13 }, (_, at) => String(at + 3)),
        { default: '5' },
      ),
      values('duration', { refuses: ['2', '16'] }),
      words('mode', ['std', 'pro'], { default: 'pro' }),
      words('sound', ['on', 'off'], { default: 'off' }),
      flag('watermark_info.enabled', { default: false }),
      flag('multi_shot', { default: false, beside: { shot_type: 'intelligence' } }),
      items('image_list', [0, 7], { image_url: square300 }),
      values('image_list', { refuses: [[{}]] }),
      values('image_list[0].image_url', {
        accepts: [await picture(300, 750), await picture(750, 300), padded(square300, 10 * MiB)],
        refuses: [
          await picture(300, 751),
          await picture(751, 300),
          square299,
          padded(square300, 10 * MiB + 1),
          await picture(300, 300, 'webp'),
        ],
      }),
      items('element_list', [0, 7], { element_id: 7 }),
      values('multi_prompt', { accepts: [shots(1), shots(6)], refuses: [[], shots(7)] }, { beside: shotsBeside }),
      length('multi_prompt[0].prompt', [1, 512], { beside: { ...shotsBeside, multi_prompt: [{ index: 1, duration: '6' }] } }),
      values(
        'multi_prompt[0].duration',
        { accepts: ['6'], refuses: ['5', '7', '0'] },
        {
          beside: { ...shotsBeside, multi_prompt: [{ index: 1, prompt: 'x' }] },
        },
      ),
    ],
  },
  {
    operationId: 'generateOmniImage',
    path: `${strict}/vidk/images/omni-image`,
    base: { prompt: 'x' },
    rows: [
      needed('prompt'),
      length('prompt', [1, 2500]),
      words('resolution', ['1k', '2k', '4k'], { default: '1k' }),
      words('result_type', ['single', 'series'], { default: 'single' }),
      range('n', [1, 9], { default: 1 }),
      range('series_amount', [2, 9], { default: 4, beside: { result_type: 'series' } }),
      words('aspect_ratio', ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', 'auto'], { default: 'auto' }),
      items('image_list', [0, 10], { image_url: square300 }),
      values('image_list[0].image_url', {
        accepts: [await picture(300, 750), await picture(750, 300)],
        refuses: [await picture(300, 751), await picture(751, 300), square299],
      }),
      flag('watermark_info.enabled', { default: false }),
    ],
  },
]

function points(count: number) {
  return Array.from({ length: count }, (_, x) => ({ x, y: x }))
}

/** Returns this many shots. Up to six shots have 6 seconds together; seven have one second each. */
function shots(count: number) {
  return Array.from({ length: count }, (_, at) => ({ index: at + 1, prompt: 'x', duration: at === 0 ? Math.max(1, 7 - count) : 1 }))
}

const music: LimitTable[] = [
  {
    operationId: 'createSong',
    path: `${strict}/mus/song/generate`,
    base: { lyrics: 'x' },
    rows: [
      needed('lyrics'),
      range('n', [1, 3], { default: 2 }),
      flag('stream', { default: false }),
      values('model', { accepts: ['MaaS_Mus_o1_generate', 'MaaS_Mus_v7.5_generate'] }),
    ],
  },
  {
    operationId: 'createInstrumental',
    path: `${strict}/mus/instrumental/generate`,
    base: { prompt: 'x' },
    rows: [range('n', [1, 3], { default: 2 }), flag('stream', { default: false })],
  },
]

export const videoTables: readonly LimitTable[] = [s, v, h, ...k, ...music]
