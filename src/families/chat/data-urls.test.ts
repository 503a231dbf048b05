/** Tests which data URLs the parts of a chat may have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationValidator } from '../../contract/validate.ts'
import { chat } from './family.ts'
import type { ChatBody } from './schema.ts'
import { toTextRequest } from './to-request.ts'

const validator = operationValidator(chat, chat.operations.create)

test('data URLs in every form that the URL standard allows become plain ones', () => {
  const [picture, document] = ['data:image/png;base64,iVBORw0KGg+/Cg==', 'data:application/pdf;base64,JVBERi0=']
  const parts = (pictures: string[], documents: string[]) => [
    ...pictures.map(url => ({ type: 'image_url', image_url: { url } })),
    ...documents.map(data => ({ type: 'file', file: { file_data: data } })),
  ]
  // The cast is safe: the validator has checked the body, but its type is only a record.
  const { items } = toTextRequest(
    validator.body({
      messages: [
        {
          role: 'user',
          content: parts(
            [
              ...[
                'DATA:image/PNG;BASE64,iVBORw0KGg+/Cg==',
                'data:image/png;base64,iVBORw0KGg%2B%2fCg%3D%3D',
                ' data:image/png;base64,iVBORw0KGg+/Cg',
              ],
              ...['data:image/png; base64 , iVBORw0K\n Gg-_Cg==', 'data:image/png;name=a.png;base64,iVBORw0KGg-_Cg=='],
            ],
            ['data: application/pdf;base64,JVBERi0%3D', 'data:application/PDF;base64,JVBERi0'],
          ),
        },
      ],
    }) as ChatBody,
  )
  const read = items.flatMap(item => (item.type === 'message' ? item.parts : []))
  const urls = read.map(part => (part.type === 'image' ? part.url : part.type === 'file' ? part.data : undefined))
  assert.deepEqual(urls, [...Array(5).fill(picture), document, document])
})
