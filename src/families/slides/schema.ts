/** Bodies, queries and answers of presentations. */
import Type from 'typebox'
import { namedObject, optional, words } from '../../contract/schemas.ts'
import { modelField, notBlank } from '../shared/common-fields.ts'

/** Range of the number of slides that a caller may request. */
const slideCounts = { minimum: 4, maximum: 40 } as const
/** Largest number of templates per page; the interface sets no limit, so this one is the
 *  gateway's own (docs/interface/text.md#presentations). */
const mostPerPage = 100
const mostPages = 1_000_000

const ours = { source: 'ours' } as const
const word = (description: string) => optional.string({ minLength: 1, maxLength: 60, ...ours, description })

export const createBody = Type.Object({
  type: words(['1'], { description: '`1`: outline and content are made from the title.' }),
  title: Type.String({
    minLength: 1,
    maxLength: 200,
    ...notBlank,
    description: 'What the presentation is about. Spaces around it are left out.',
  }),
  language: optional.string({
    ...ours,
    maxLength: 35,
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$',
    mustBe: 'a language tag after BCP 47',
    description: 'BCP 47; absent: that of the title.',
    examples: ['en', 'zh-CN'],
  }),
  slides: optional.integer({ ...slideCounts, ...ours, description: 'About how many slides; absent: as many as the title needs.' }),
  model: modelField(),
})

export const created = namedObject('PresentationTask', {
  message: Type.String({ description: '`success`.' }),
  taskId: Type.String({ description: 'Digits.' }),
})

export const templateQuery = Type.Object({
  pageNo: Type.Integer({ minimum: 1, maximum: mostPages, description: 'From 1; a page beyond the end is empty.' }),
  pageSize: Type.Integer({ minimum: 1, maximum: mostPerPage, description: 'Templates of a page.' }),
  category: word('Only templates of this category, in either case.'),
  style: word('Only templates of this style.'),
  colour: word('Only templates of this leading colour, by name or as #rrggbb.'),
  scene: word('Only templates that are made for this.'),
  model: modelField(),
})

const template = namedObject('PresentationTemplate', {
  id: Type.Integer({ description: 'What an export takes as `templateId`.' }),
  cover_img: Type.String({ format: 'http-url', description: 'A picture of it, PNG or JPEG; no key is needed.' }),
  title: optional.string(ours),
  category: optional.string(ours),
  style: optional.string(ours),
  colour: optional.object({ name: Type.String(), hex: Type.String({ description: '#rrggbb.' }) }, ours),
  scenes: optional.array(Type.String(), { ...ours, description: 'What it is made for.' }),
})

export const templates = namedObject('PresentationTemplates', {
  pagination: Type.Object({
    total: Type.Integer({ description: 'Templates on all pages.' }),
    current_page: Type.Integer(),
    page_size: Type.Integer(),
  }),
  list: Type.Array(template, { description: 'By rising ids.' }),
})

export const exported = namedObject('PresentationExport', { exportId: Type.String() })

export const files = namedObject('PresentationFiles', {
  urls: Type.Array(Type.String({ format: 'http-url' }), {
    description:
      'Signed links, valid for 24 hours; every query gives fresh ones. The PPTX file, and behind it the same as a PDF where the target makes one.',
  }),
  comment: optional.string({ ...ours, description: 'Remarks on the files.' }),
})

const states = ['writing', 'ready', 'failed', 'cancelled'] as const
export type PresentationState = (typeof states)[number]

/** Schema of a slide. Its members depend on the layout and on the target, so they are not
 *  checked. */
const slide = namedObject(
  'PresentationSlide',
  {
    layout: Type.String({ description: '`title`, `section`, `points`, ...' }),
    title: Type.String(),
    points: Type.Array(Type.String()),
    notes: optional.string({ description: 'Notes for the speaker.' }),
  },
  { additionalProperties: true },
)

export const presentation = namedObject('Presentation', {
  taskId: Type.String(),
  state: words(states, { description: 'All but `writing` are final.' }),
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  title: Type.String({ description: 'The requested title, then the written one.' }),
  language: optional.string({ description: 'BCP 47, once it is written.' }),
  slides: optional.array(slide, { description: 'Once they are written.' }),
  comment: optional.string({ description: 'Remarks on how the presentation was written.' }),
  error: optional.object(
    { code: Type.String(), message: Type.String(), reasons: Type.Array(Type.String()) },
    { name: 'PresentationFault', description: 'Why it failed: a code of the gateway and a sentence.' },
  ),
  expires_at: optional.integer({ unit: 's', description: 'Unix seconds, once it has ended: exports of it can be created until then.' }),
})
