import { GatewayError } from '@generation-gateway/kit/errors.ts'
import { type Demo, type DemoCall, type DemoContext, type DemoOutput, demoOutput, saved } from './demo.ts'
import { pictures } from './judge/picture.ts'
import { poll, post } from './post.ts'

type Body = Record<string, unknown> & { prompt: string }

const generate = (id: string, body: Body): DemoCall => ({
  id,
  title: body.prompt,
  make: context => makePicture(context, id, body),
  judge: pictures(
    typeof body.width === 'number' && typeof body.height === 'number' ? { size: { width: body.width, height: body.height } } : {},
  ),
})

const edit = (id: string, uses: string, prompt: string): DemoCall => ({
  id,
  title: `edit: ${prompt}`,
  uses,
  make: async context => makePicture(context, id, { prompt, input_image: await demoOutput(context, uses), seed: 7 }),
  judge: pictures(),
})

export const f1Demo: Demo = {
  family: 'F1',
  calls: [
    generate('f1-fox', { prompt: 'a red fox under a cherry tree at sunset, watercolor', width: 1024, height: 1024, seed: 7 }),
    generate('f1-boats', { prompt: 'three sailboats on a stormy sea at night', aspect_ratio: '16:9', seed: 11 }),
    generate('f1-cup', { prompt: 'a cup of coffee on a wooden table by a rainy window', width: 1024, height: 1024, seed: 5 }),
    generate('f1-panda', { prompt: '一只熊猫和一只狮子坐在枫树下，秋天，动漫风格', aspect_ratio: '4:3', seed: 3 }),
    generate('f1-castle', { prompt: 'an old castle between autumn trees, oil painting', width: 1152, height: 896, seed: 21 }),
    generate('f1-girl', { prompt: 'a girl in a red dress reading a book under a tree, spring', width: 896, height: 1152, seed: 8 }),
    generate('f1-robot', { prompt: 'a robot in a neon city street at night, rain', aspect_ratio: '16:9', seed: 13 }),
    generate('f1-moon', { prompt: 'an astronaut riding a horse on the moon', width: 1024, height: 1024, seed: 2, prompt_upsampling: true }),
    edit('f1-fox-edit', 'f1-fox', 'make it winter and add a white rabbit on the left'),
    edit('f1-cup-edit', 'f1-cup', 'make the cup blue and add the text "GOOD MORNING" at the top'),
  ],
}

async function makePicture(context: DemoContext, id: string, body: Body): Promise<DemoOutput> {
  const submitted = await post<{ polling_url: string }>(context, 'imgf/image/generate', body)
  const result = await poll(context, submitted.polling_url, resultOf)
  const picture = await fetch(result.sample)
  const ending = picture.headers.get('content-type') === 'image/png' ? 'png' : 'jpg'
  const left = result.not_drawn.length > 0 ? `, not drawn: ${result.not_drawn.join(', ')}` : ''
  return saved(context, `${id}.${ending}`, {
    bytes: Buffer.from(await picture.arrayBuffer()),
    facts: `seed ${result.seed}, drawn in ${result.duration.toFixed(1)} s${left}${result.prompt === body.prompt ? '' : `, prompt: ${result.prompt}`}`,
  })
}

interface Picture {
  sample: string
  seed: number
  prompt: string
  duration: number
  not_drawn: string[]
}

interface Task {
  status: string
  result: Picture | null
  details?: { message?: string } | null
}

function resultOf({ status, result, details }: Task): Picture | undefined {
  if (result || status === 'Pending') return result ?? undefined
  throw new GatewayError('upstream_error', `${status}: ${details?.message ?? ''}`)
}
