/** Demo of F4: the four pictures of a text job, on one sheet. */
import { GatewayError } from '@generation-gateway/kit/errors.ts'
import type { Demo } from './demo.ts'
import { sheetOf } from './images.ts'
import { poll, post } from './post.ts'

const text = 'a sailboat by a lighthouse at sunset, watercolor --ar 3:2 --seed 31'

export const f4Demo: Demo = {
  family: 'F4',
  calls: [
    {
      id: 'f4-sailboats',
      family: 'F4',
      title: `an artwork job: ${text}`,
      make: async context => {
        const { id } = await post<{ id: string }>(context, 'tob/diffusion', { text })
        return sheetOf(context, 'f4-sailboats', await poll(context, `${context.url}/v1/ai/default/tob/job/${id}`, picturesOf))
      },
    },
  ],
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
