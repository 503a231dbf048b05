/** Limits of interfaces that the gateway adds for clients: OpenAI's images interface, and
 *  ElevenLabs' search for voices. They are written by hand, not copied from our schemas. */
import { flag, items, type LimitTable, length, needed, range, values, words } from '../../testing/limit-table.ts'
import { dataUrl, picture } from './samples.ts'

const one = dataUrl(await picture(64, 64))

const imageRows = [
  needed('prompt'),
  length('prompt', [1, 32_000]),
  range('n', [1, 10]),
  values('size', { accepts: ['auto', '64x64', '4096x4096', '16384x1024'], refuses: ['63x64', '64x63', '4097x4096', '16385x64', '1024'] }),
  words('output_format', ['png', 'jpeg', 'webp']),
  words('response_format', ['b64_json', 'url']),
  flag('stream'),
  range('partial_images', [0, 3]),
  words('quality', ['auto', 'low', 'medium', 'high', 'xhigh', 'max', 'standard', 'hd']),
  words('background', ['auto', 'opaque', 'transparent']),
  range('output_compression', [0, 100]),
  words('moderation', ['auto', 'low']),
  length('user', [0, 512]),
  values('seed', { accepts: [0, 9007199254740991, null], refuses: [-1, 9007199254740992, 1.5] }),
]
const images: readonly LimitTable[] = [
  {
    operationId: 'createImage',
    path: '/v1/images/generations',
    base: { prompt: 'x' },
    rows: [...imageRows, words('style', ['vivid', 'natural']), length('negative_prompt', [0, 8192])],
  },
  {
    operationId: 'editImage',
    path: '/v1/images/edits',
    base: { prompt: 'x', image: [one] },
    rows: [...imageRows, items('image', [1, 16], one), words('input_fidelity', ['low', 'high'])],
  },
]

const voices: LimitTable = {
  operationId: 'searchVoiceIds',
  path: '/v1/ai/default/tts-e/v2/voices',
  in: 'query',
  method: 'GET',
  base: {},
  rows: [
    ...['search', 'gender', 'age', 'language', 'accent', 'category', 'voice_type'].map(field => length(field, [1, 200])),
    length('voice_ids', [1, 4_000]),
    words('sort', ['name', 'created_at_unix']),
    words('sort_direction', ['asc', 'desc']),
    range('page_size', [1, 100]),
    values('next_page_token', { accepts: ['0', '999999'], refuses: ['1000000', 'x', '-1'] }),
    flag('include_total_count'),
  ],
}

export const extensionTables: readonly LimitTable[] = [...images, voices]
