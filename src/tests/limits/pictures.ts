/** Limits of families F1 to F4 (docs/interface/pictures.md), written by hand from the interface
 *  and not copied from our schemas. */
import { flag, items, type LimitTable, length, needed, range, values, words } from '../../testing/limit-table.ts'
import { dataUrl, padded, picture } from './samples.ts'

const MiB = 1024 * 1024
const small = await picture(64, 64)
const strict = '/v1/ai/default'

const f1: LimitTable = {
  operationId: 'generateImage',
  path: `${strict}/imgf/image/generate`,
  base: { prompt: 'x' },
  rows: [
    needed('prompt'),
    values('aspect_ratio', { accepts: ['3:7', '7:3', '1:1'], refuses: ['29:70', '70:29', '1', 'wide'] }),
    flag('prompt_upsampling', { default: false }),
    values('seed', { accepts: [null, 0, -1, 9007199254740991], refuses: [1.5, 'x'] }),
    range('safety_tolerance', [0, 6], { default: 2 }),
    words('output_format', ['jpeg', 'png'], { default: 'jpeg' }),
    values('webhook_url', { accepts: ['http://127.0.0.1:9/x', 'https://127.0.0.1:9/x'], refuses: ['ftp://127.0.0.1/x', 'x'] }),
    values('webhook_secret', { accepts: ['secret', null] }),
    values('input_image', {
      accepts: [small, padded(small, 20 * MiB), await picture(5000, 4000)],
      refuses: [padded(small, 20 * MiB + 1), await picture(5001, 4000), 'AAAA'],
    }),
  ],
}

const f2Rows = [
  needed('prompts'),
  range('batchsize', [1, 8], { default: 1 }),
  words('aspect_ratio', ['1:1', '2:3', '3:2', '3:4', '4:3', '16:9', '9:16']),
  needed('step'),
  values('seed', { accepts: [0, 1], refuses: ['x', 0.5] }, { default: 0 }),
]
const f2: LimitTable[] = [
  {
    operationId: 'generateImageBatch',
    path: '/v2/ai/default/images/generations',
    base: { prompts: 'x', step: 4, model: 'MaaS_ImgB_fast' },
    rows: [...f2Rows, range('step', [4, 10])],
  },
  {
    operationId: 'generateImageBatchByModel',
    path: '/v2/images/generations',
    base: { prompts: 'x', step: 4, model: 'MaaS_ImgB_large' },
    rows: [...f2Rows, needed('model'), values('step', { accepts: [4, 24], refuses: [3] }), values('neg-prompts', { accepts: ['rain'] })],
  },
]

const [wide16, wide17, tall16, tall17] = await Promise.all([picture(1600, 100), picture(1700, 100), picture(100, 1600), picture(100, 1700)])
const ofModel = (model: string, further: object = {}) => ({ beside: { model: `MaaS_ImgS_${model}`, ...further } })
const one = dataUrl(small)
const many = (count: number) => Array(count).fill(one)
const f3: LimitTable = {
  operationId: 'generateImageGroup',
  path: `${strict}/imgs/image/generations`,
  base: { prompt: 'x', model: 'MaaS_ImgS_N1' },
  rows: [
    needed('prompt'),
    items('image', [1, 14], one),
    values('image', {
      accepts: [dataUrl(wide16), dataUrl(tall16), dataUrl(await picture(15, 15)), dataUrl(padded(small, 10 * MiB))],
      refuses: [dataUrl(wide17), dataUrl(tall17), dataUrl(await picture(14, 15)), dataUrl(await picture(15, 14))],
    }),
    values('image', {
      accepts: [dataUrl(await picture(6000, 6000))],
      refuses: [dataUrl(await picture(6001, 6000)), dataUrl(padded(small, 10 * MiB + 1)), small],
    }),
    values(
      'image',
      {
        accepts: [dataUrl(await picture(300, 100)), dataUrl(await picture(100, 300)), dataUrl(await picture(64, 64, 'jpeg'), 'jpeg')],
        refuses: [
          dataUrl(await picture(301, 100)),
          dataUrl(await picture(100, 301)),
          dataUrl(await picture(64, 64, 'webp'), 'webp'),
          many(2),
        ],
      },
      ofModel('O2'),
    ),
    values('size', { accepts: ['2K', '3K'], refuses: ['1K', '4K'] }, ofModel('N1')),
    values('size', { accepts: ['2K', '4K'], refuses: ['1K', '3K'] }, ofModel('N2')),
    values('size', { accepts: ['1K', '2K', '4K'], refuses: ['3K'] }, ofModel('N3')),
    // The limits are in pixels. For reference: 3,686,400 are 1920x1920; 10,404,496 are 3226x3225.2;
    // 16,777,216 are 4096x4096; 921,600 are 960x960.
    values('size', { accepts: ['1920x1920', '2560x1440'], refuses: ['1919x1920', '3226x3226'] }, ofModel('N1')),
    values('size', { accepts: ['1920x1920', '4096x4096'], refuses: ['1920x1919', '4096x4097'] }, ofModel('N2')),
    values('size', { accepts: ['960x960', '4096x4096'], refuses: ['959x960', '4097x4096'] }, ofModel('N3')),
    values('size', { accepts: ['8192x512', '512x8192'], refuses: ['8193x512', '512x8193', '512'] }, ofModel('N3')),
    range('seed', [-1, 2147483647], { default: -1, ...ofModel('O2', { image: one }) }),
    words('sequential_image_generation', ['auto', 'disabled'], { default: 'disabled' }),
    range('sequential_image_generation_options.max_images', [1, 15], { beside: { sequential_image_generation: 'auto' } }),
    values(
      'sequential_image_generation_options.max_images',
      { accepts: [1], refuses: [2] },
      { beside: { sequential_image_generation: 'auto', image: many(14) } },
    ),
    flag('stream', { default: false }),
    words('tools[0].type', ['web_search']),
    range('guidance_scale', [1, 10], { step: 0.01, ...ofModel('O1') }),
    range('guidance_scale', [1, 10], { step: 0.01, ...ofModel('O2', { image: one }) }),
    values('guidance_scale', { refuses: [5] }, ofModel('N3')),
    words('response_format', ['url', 'b64_json'], { default: 'url' }),
    flag('watermark', { default: true }),
    words('output_format', ['jpeg', 'png'], { default: 'jpeg' }),
    values('output_format', { refuses: ['png'] }, ofModel('N2')),
    values('optimize_prompt_options.mode', { accepts: ['standard'], refuses: ['fast', 'slow'] }, { default: 'standard' }),
    values('optimize_prompt_options.mode', { accepts: ['standard'], refuses: ['fast'] }, ofModel('N2')),
    values('optimize_prompt_options.mode', { accepts: ['standard', 'fast'] }, ofModel('N3')),
    values('optimize_prompt_options', { refuses: [{ mode: 'standard' }] }, ofModel('O2', { image: one })),
  ],
}

const area = { width: 1024, height: 1024, points: [0, 0, 9, 0, 9, 9] }
const ofJob = { jobId: '01kb2v0f5w9h3t8m6q4y7z1xcd', imageNo: 0 }
const f4: LimitTable[] = [
  {
    operationId: 'createArtwork',
    path: `${strict}/tob/diffusion`,
    base: { text: 'x' },
    rows: [needed('text'), length('text', [1, 8192])],
  },
  {
    operationId: 'redrawArtwork',
    path: `${strict}/tob/inpaint`,
    base: { ...ofJob, mask: { areas: [area] } },
    endsWith404: true,
    rows: [
      needed('jobId'),
      needed('imageNo'),
      needed('mask'),
      range('imageNo', [0, 3]),
      range('mask.areas[0].width', [500, 4096]),
      range('mask.areas[0].height', [500, 4096]),
      length('remixPrompt', [1, 8192]),
    ],
  },
  {
    operationId: 'upscaleArtwork',
    path: `${strict}/tob/upscale`,
    base: { ...ofJob, type: 0 },
    endsWith404: true,
    rows: [needed('jobId'), needed('imageNo'), range('imageNo', [0, 3]), range('type', [0, 3], { default: 0 })],
  },
]

export const pictureTables: readonly LimitTable[] = [f1, ...f2, f3, ...f4]
