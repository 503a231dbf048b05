/** Demo of family F4. The first call draws four pictures from a text and shows them on one
 *  sheet. The second call draws drafts, redraws a region of the first draft, and upscales both
 *  pictures. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Demo, DemoContext } from './demo.ts'
import { sheetOf } from './images.ts'
import { pictures } from './judge/picture.ts'
import { poll, post } from './post.ts'

const remixPrompt = 'a red hot air balloon'
/** A polygon that covers the upper left of the picture. The picture is 1500 wide and 1000 high
 *  in these coordinates. */
const sky = { width: 1500, height: 1000, points: [60, 40, 560, 40, 560, 560, 60, 560] }
const text = 'a sailboat by a lighthouse at sunset, watercolor --ar 3:2 --seed 31'

export const f4Demo: Demo = {
  family: 'F4',
  calls: [
    {
      id: 'f4-sailboats',
      title: `an artwork job: ${text}`,
      make: async context => sheetOf(context, 'f4-sailboats', (await jobOf(context, 'diffusion', { text })).urls),
      judge: pictures({ count: 4 }),
    },
    {
      id: 'f4-redraw',
      title: `a region of a picture drawn anew, and the picture upscaled: ${remixPrompt}`,
      make: async context => {
        const drafts = await jobOf(context, 'diffusion', { text: `${text} --draft` })
        const redrawn = await jobOf(context, 'inpaint', { jobId: drafts.id, imageNo: 0, mask: { areas: [sky] }, remixPrompt })
        const upscaled = await Promise.all([drafts, redrawn].map(({ id }) => jobOf(context, 'upscale', { jobId: id, imageNo: 0, type: 0 })))
        return sheetOf(
          context,
          'f4-redraw',
          upscaled.flatMap(({ urls }) => urls),
        )
      },
      judge: pictures({ count: 2 }),
    },
  ],
}

/** Starts a job and resolves with the job and its pictures once it has succeeded. */
async function jobOf(context: DemoContext, operation: string, body: Record<string, unknown>): Promise<{ id: string; urls: string[] }> {
  const { id } = await post<{ id: string }>(context, `tob/${operation}`, body)
  return { id, urls: await poll(context, `${context.url}/v1/ai/default/tob/job/${id}`, picturesOf) }
}

interface Job {
  status: number
  comment: string
  urls: string[]
  message?: string
}

function picturesOf({ status, comment, urls, message }: Job): string[] | undefined {
  if (status < 2) return undefined
  if (status === 2) return urls.filter(url => url !== '')
  throw new GatewayError('upstream_error', message ?? comment)
}
