/** Demos of F2 (several pictures, shown on one sheet), of F3 (streamed pictures) and of OpenAI's
 *  image interface (a picture, and an edit of it). */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import sharp from 'sharp'
import { type Demo, type DemoCall, type DemoContext, demoOutput, saved } from './demo.ts'
import { pictures } from './judge/picture.ts'
import { poll, post, postForText } from './post.ts'

const columns = 2
/** Gap between the pictures on a sheet, in pixels. */
const gap = 8

export const f2Demo: Demo = {
  family: 'F2',
  calls: [
    {
      id: 'f2-lighthouses',
      title: 'a batch of four: a lighthouse at dusk, oil painting',
      make: context =>
        makeBatch(context, 'f2-lighthouses', { prompts: 'a lighthouse at dusk, oil painting', aspect_ratio: '3:2', seed: 31 }),
      judge: pictures({ count: columns ** 2 }),
    },
  ],
}

const story =
  'a little fox in a blue scarf: first it sleeps in the forest, then it walks through the snow, then it sits by a lake at sunset, finally it runs through a meadow'

export const f3Demo: Demo = {
  family: 'F3',
  calls: [
    {
      id: 'f3-story',
      title: `a series, streamed: ${story}`,
      make: context =>
        streamSheet(context, 'f3-story', { prompt: story, size: '1280x720', sequential_image_generation: 'auto', model: 'MaaS_ImgS_N3' }),
      judge: pictures({ size: { width: 1280, height: 720 }, count: 4 }),
    },
  ],
}

const lake = { prompt: 'a lake below snowy mountains, morning', size: '1536x1024', output_format: 'jpeg', seed: 4 }
const winter = 'make it winter'

export const imagesDemo: Demo = {
  family: 'images',
  calls: [
    picture('images-lake', lake.prompt, async context => post<Images>(context, 'images/generations', lake)),
    {
      ...picture('images-lake-winter', `edit: ${winter}`, async context => {
        const image = await demoOutput(context, 'images-lake')
        return post<Images>(context, 'images/edits', { image: [image], prompt: winter, output_format: 'jpeg', seed: 4 })
      }),
      uses: 'images-lake',
    },
  ],
}

interface Images {
  data: { b64_json: string }[]
  size: string
  not_drawn: string[]
}

function picture(id: string, title: string, draw: (context: DemoContext) => Promise<Images>): DemoCall {
  return {
    id,
    title,
    make: async context => {
      const { data, size, not_drawn: left } = await draw(context)
      const facts = `${size}${left.length > 0 ? `, not drawn: ${left.join(', ')}` : ''}`
      return saved(context, `${id}.jpg`, { bytes: Buffer.from(data[0]?.b64_json ?? '', 'base64'), facts })
    },
    judge: pictures({ size: { width: 1536, height: 1024 } }),
  }
}

async function makeBatch(context: DemoContext, id: string, body: Record<string, unknown>): ReturnType<DemoCall['make']> {
  const { taskId } = await post<{ taskId: string }>(context, 'images/generations', { ...body, batchsize: columns ** 2, step: 6 }, 'v2')
  const urls = await poll(context, `${context.url}/v2/ai/default/images/tasks/${taskId}`, picturesOf)
  return sheetOf(context, id, urls)
}

/** Fetches the pictures from these links and puts them on one sheet. */
export async function sheetOf(context: DemoContext, id: string, urls: readonly string[]): ReturnType<DemoCall['make']> {
  const drawn = await Promise.all(urls.map(async url => Buffer.from(await (await fetch(url)).arrayBuffer())))
  if (drawn.length === 0) throw new GatewayError('upstream_error', 'There is no picture.')
  const { width, height } = await sharp(drawn[0]).metadata()
  const rows = Math.ceil(drawn.length / columns)
  const bytes = await sharp({
    create: { width: columns * (width + gap) - gap, height: rows * (height + gap) - gap, channels: 3, background: '#ffffff' },
  })
    .composite(
      drawn.map((input, index) => ({
        input,
        left: (index % columns) * (width + gap),
        top: Math.floor(index / columns) * (height + gap),
      })),
    )
    .jpeg({ quality: 90 })
    .toBuffer()
  return saved(context, `${id}.jpg`, { bytes, facts: `${drawn.length} pictures of ${width}x${height} from one task`, pictures: drawn })
}

interface Batch {
  status: string
  completed: boolean
  imageUrls: string[]
  message?: string
}

function picturesOf({ status, completed, imageUrls, message }: Batch): string[] | undefined {
  if (status === 'completed' || !completed) return completed ? imageUrls : undefined
  throw new GatewayError('upstream_error', message ?? status)
}

/** Puts the pictures of a streamed answer on one sheet; each is fetched from its link. */
async function streamSheet(context: DemoContext, id: string, body: Record<string, unknown>): ReturnType<DemoCall['make']> {
  const text = await postForText(context, 'imgs/image/generations', { ...body, stream: true, watermark: false })
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']): { url?: string } => JSON.parse(data))
  return sheetOf(
    context,
    id,
    events.flatMap(({ url }) => url ?? []),
  )
}
