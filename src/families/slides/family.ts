/** Presentations (docs/interface/text.md#presentations): an outline and the content are written
 *  from a title; files are rendered from the content and a template. */
import { dayMs, hourMs, minuteMs } from '@generation-gateway/kit/units.ts'
import Type from 'typebox'
import { upstreamFailures } from '../../contract/description/error-answers.ts'
import { defineFamily, operation } from '../../contract/family.ts'
import { failure } from './failure.ts'
import { createBody, created, exported, files, presentation, templateQuery, templates } from './schema.ts'

/** A task can be exported for this many milliseconds after its content was written
 *  (docs/interface/text.md#presentations). */
export const contentMs = hourMs
/** Milliseconds for which files are stored after the end of an export. */
export const exportMs = dayMs
export const exportDeadlineMs = 15 * minuteMs
export const coverMs = dayMs

const at = (operation: string) => ({ path: `/v1/ai/{endpoint}/ppt/${operation}`, aliases: [`/{endpoint}/ppt/${operation}`] })

const taskId = '4815162342'
const exportId = '01kb2v0f5w9h3t8m6q4y7z1xcd'
const file = (name: string) => `https://gateway.example/files/${name}?exp=1795000000&kid=k1&sig=abc`
const noStore = { 'cache-control': Type.String() }

export const slides = defineFamily({
  id: 'slides',
  title: 'Presentations',
  source: 'docs/interface/text.md#presentations',
  description:
    'A task writes outline and content of a title. Within an hour of that an export makes files of it in one of the templates, as often as is wanted; the same template again is the same export.',
  models: [{ id: 'MaaS_Slides', title: 'Presentations', capability: 'slides.write' }],
  fieldNames: { template: 'templateId' },
  deadlineMs: 30 * minuteMs,
  linkLifetimeMs: dayMs,
  keepMs: 2 * dayMs,
  failure,
  operations: {
    create: operation({
      operationId: 'createPresentation',
      method: 'POST',
      ...at('task'),
      summary: 'Write outline and content',
      choosesModel: true,
      body: { kinds: ['multipart', 'form', 'json'], schema: createBody },
      reply: { schema: created },
      examples: [
        {
          title: 'From a title',
          body: { type: '1', title: 'How lighthouses were lit' },
          reply: { message: 'success', taskId },
        },
      ],
    }),
    show: operation({
      operationId: 'getPresentation',
      method: 'GET',
      ...at('task/{taskId}'),
      summary: 'State and content of a presentation',
      source: 'ours',
      readsTask: { parameter: 'taskId', in: 'path', orReference: true },
      reply: { schema: presentation },
      examples: [
        {
          title: 'On its way',
          path: { taskId },
          needs: 'the id of a task of yours.',
          reply: { taskId, state: 'writing', progress: 40, title: 'How lighthouses were lit' },
        },
      ],
    }),
    templates: operation({
      operationId: 'listPresentationTemplates',
      method: 'GET',
      ...at('export/templates'),
      summary: 'List templates',
      choosesModel: { in: 'query', name: 'model' },
      query: templateQuery,
      failsWith: upstreamFailures,
      needs: ['templates'],
      reply: { schema: templates },
      examples: [
        {
          title: 'The first ten',
          query: { pageNo: '1', pageSize: '10' },
          reply: {
            pagination: { total: 12, current_page: 1, page_size: 10 },
            list: [{ id: 1, cover_img: 'https://gateway.example/v1/ai/default/ppt/covers/slides/1?exp=1795000000&kid=k1&sig=abc' }],
          },
        },
      ],
    }),
    cover: operation({
      operationId: 'showPresentationTemplate',
      method: 'GET',
      path: '/v1/ai/{endpoint}/ppt/covers/{engine}/{templateId}',
      access: 'signed',
      summary: 'Picture of a template',
      source: 'ours',
      failsWith: ['not_found'],
      needs: ['templates'],
      reply: {
        others: [{ kind: 'bytes', mediaTypes: ['image/png'], says: 'The picture.' }],
        headers: { 'cache-control': Type.String() },
      },
      examples: [
        {
          title: 'Of the first one',
          path: { engine: 'slides', templateId: '1' },
          needs: 'the link that the list has of the template.',
        },
      ],
    }),
    startExport: operation({
      operationId: 'createPresentationExport',
      method: 'GET',
      ...at('export/{taskId}/{templateId}'),
      getWrites: true,
      summary: 'Make the files',
      description: 'The same task and template again give the same export, unless it has failed.',
      choosesModel: { in: 'query', name: 'model' },
      continuesTask: { parameter: 'taskId', in: 'path' },
      query: Type.Pick(templateQuery, ['model']),
      failsWith: ['not_found', 'conflict', 'content_moderated'],
      needs: ['templates'],
      reply: { schema: exported, headers: noStore },
      examples: [
        {
          title: 'In the first template',
          path: { taskId, templateId: '1' },
          needs: 'the id of a task of yours whose content is ready.',
          reply: { exportId },
        },
      ],
    }),
    files: operation({
      operationId: 'getPresentationExport',
      method: 'GET',
      ...at('export/result/{exportId}'),
      summary: 'Links of the files',
      readsTask: { parameter: 'exportId', in: 'path' },
      failsWith: ['not_found', 'conflict', 'content_moderated'],
      reply: { schema: files, headers: noStore },
      examples: [
        {
          title: 'Both files',
          path: { exportId },
          needs: 'the id of an export of yours.',
          reply: { urls: [file('01kb2v0g'), file('01kb2v0h')] },
        },
      ],
    }),
  },
})
