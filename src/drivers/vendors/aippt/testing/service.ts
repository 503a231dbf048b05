/** Replies of a fake AiPPT service for each of its paths (docs/vendors/aippt.md#steps). */
import { type FakeReply, jsonReply, rawReply, sseReply } from '../../../../testing/fakes/fake-upstream.ts'

export const token = 'token-0123456789abcdef'
export const good = (data: unknown) => jsonReply({ code: 0, data, msg: 'ok' })
export const bad = (code: number) => jsonReply({ code, data: null, msg: 'no' })
export const outline = [
  '# Lighthouses\n',
  '## Fire\n',
  '### Wood\n- Logs\n- **Tar**\n',
  '### Oil\n1. Whale\n2. Colza\n',
  '## Light\nGas, then arcs.\n',
]
export const deck = Buffer.from(
  'PK\u0003\u0004 ppt/slides/slide1.xml ppt/slides/slide2.xml ppt/slides/slide1.xml ppt/slides/_rels/slide1.xml.rels',
)
export const pdf = Buffer.from('%PDF-1.7 pages')
export const fileReply: FakeReply = (response, request) => rawReply(request.path.endsWith('.pdf') ? pdf : deck)(response, request)

/** Returns a reply that answers by path. `changes` overrides the replies of some paths: each
 *  request to such a path gets the next reply in the list, and the last one repeats. */
export function service(filesAt: string, changes: Record<string, FakeReply[]> = {}): FakeReply {
  const replies: Record<string, FakeReply[]> = {
    '/grant/token': [good({ token, time_expire: 259_200 })],
    '/ai/chat/v2/task': [good({ id: 8924627 })],
    '/ai/chat/outline': [sseReply(outline.map(content => ({ content })))],
    '/ai/chat/v2/content': [good('ticket-1')],
    '/ai/chat/v2/content/check': [good({ status: 1 }), good({ status: 2 })],
    '/design/v2/save': [good({ id: 77, name: 'x' })],
    '/download/export/file': [good('key-deck'), good('key-document')],
    '/template_component/suit/search': [
      good({ pagination: { total: 2345, current_page: 2, page_size: 2 }, list: [{ id: 9, cover_img: `${filesAt}/9.jpeg` }, { id: 'x' }] }),
    ],
    ...changes,
  }
  const results: Record<string, FakeReply[]> = {
    'key-deck': [jsonReply({ code: 0, data: '', msg: 'exporting' }), good([`${filesAt}/1.pptx`])],
    'key-document': [good([`${filesAt}/1.pdf`])],
  }
  return (response, request) => {
    const path = request.path.replace(/^\/v1/, '').replace(/\?.*/, '')
    const key = /name="task_key"\r\n\r\n(\S+)/.exec(request.body.toString())?.[1] ?? ''
    const turn = (path === '/download/export/file/result' && !changes[path] ? results[key] : replies[path]) ?? []
    const reply = turn.length > 1 ? turn.shift() : turn[0]
    return (reply ?? rawReply('', 404))(response, request)
  }
}
