/** Limits of chat, Responses, search and presentations (docs/interface/text.md), written by hand
 *  from the interface and not copied from our schemas. */
import { flag, type LimitTable, needed, range, values, words } from '../../testing/limit-table.ts'

const strict = '/v1/ai/default'
const picked = (mode: string) => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools: [{ type: 'function', function: { name: 'f' } }] },
})
const tool = { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object', properties: {} } } }

const chat: LimitTable = {
  operationId: 'createChatCompletion',
  path: `${strict}/chat/completions`,
  base: { model: 'text', messages: [{ role: 'user', content: 'x' }] },
  rows: [
    needed('messages'),
    words('reasoning_effort', ['minimal', 'low', 'medium', 'high']),
    words('verbosity', ['low', 'medium', 'high']),
    values('tools', { accepts: [[tool], [{ type: 'custom', custom: { name: 'c', description: 'd' } }]], refuses: [[{ type: 'magic' }]] }),
    values('tool_choice', { accepts: [picked('auto'), picked('required')], refuses: [picked('sometimes')] }, { beside: { tools: [tool] } }),
    flag('stream'),
  ],
}

const responses: LimitTable = {
  operationId: 'createResponse',
  path: `${strict}/responses`,
  base: { model: 'text', input: 'x' },
  rows: [
    values('input', {
      accepts: [[{ role: 'user', content: 'x' }], [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] }]],
      refuses: [[{ type: 'dance' }], 7],
    }),
    flag('stream'),
    flag('store'),
    values('previous_response_id', { refuses: [7] }),
    values('tools', {
      accepts: [[{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object', properties: {}, required: [] } }]],
      refuses: ['f'],
    }),
  ],
}

const ofPlatform = (mediaType: string) => ({ beside: { mediaType } })
const search: LimitTable[] = [
  {
    operationId: 'searchVerticalHotList',
    path: '/default/search/vertical-hot-list',
    base: { type: 'Food', mediaType: 'Plat_A', timeRange: 1 },
    rows: [
      needed('type'),
      needed('mediaType'),
      needed('timeRange'),
      words('type', ['Food', 'Beauty', 'Automobile']),
      words('mediaType', ['Plat_A', 'Plat_C']),
      values('timeRange', { accepts: [1, 3, 7], refuses: [0, 2, 4, 6, 8] }),
    ],
  },
  {
    operationId: 'searchKeyword',
    path: '/default/search/keyword',
    base: { keyword: 'x', pageSize: 10, pageNumber: 1 },
    rows: [
      needed('keyword'),
      needed('pageSize'),
      needed('pageNumber'),
      range('pageSize', [1, 30]),
      values('pageNumber', { accepts: [1, 2], refuses: [0] }),
      words('mediaType', ['plat_a', 'plat_b', 'plat_c']),
      values('publishTime', { accepts: [0, 1, 7, 180], refuses: [2, 6, 181] }, ofPlatform('plat_a')),
      words('sortType', ['_0', '_1', '_2'], ofPlatform('plat_a')),
      words('sortType', ['totalrank', 'click', 'pubdate', 'dm', 'stow'], ofPlatform('plat_b')),
      words('sortType', ['general', 'popularity_descending', 'time_descending'], ofPlatform('plat_c')),
      values('sortType', { refuses: ['_1'] }, ofPlatform('plat_c')),
    ],
  },
  {
    operationId: 'searchHotList',
    path: '/default/search/top',
    in: 'query',
    method: 'GET',
    base: { type: 2 },
    rows: [needed('type'), values('type', { accepts: [2, 3, 4, 6, 7, 8, 9, 10, 14], refuses: [1, 5, 11, 13, 15] })],
  },
]

const slides: LimitTable[] = [
  {
    operationId: 'createPresentation',
    path: `${strict}/ppt/task`,
    in: 'multipart',
    base: { type: '1', title: 'x' },
    rows: [needed('type'), needed('title'), values('type', { accepts: ['1'], refuses: ['0', '2'] })],
  },
  {
    operationId: 'listPresentationTemplates',
    path: `${strict}/ppt/export/templates`,
    in: 'query',
    method: 'GET',
    base: { pageNo: 1, pageSize: 1 },
    rows: [
      needed('pageNo'),
      needed('pageSize'),
      values('pageNo', { accepts: [1], refuses: [0] }),
      values('pageSize', { accepts: [1], refuses: [0] }),
    ],
  },
]

export const textTables: readonly LimitTable[] = [chat, responses, ...search, ...slides]
