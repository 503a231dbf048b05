import type { ImageGenerateRequest } from '@generation-gateway/kit/requests/image.ts'
import engine from '../../engines/studio/driver.ts'
import { generatePicture } from '../../engines/studio/studio.ts'
import type { FairnessCase, Run } from './case.ts'

const base: ImageGenerateRequest = {
  ...{ prompt: 'a city street at night with cars and people, oil painting', width: 1024, height: 1024, count: 1 },
  ...{ seed: '7', expandPrompt: false, safetyTolerance: 2, format: 'png' },
}
const group: ImageGenerateRequest = { ...base, width: 2048, height: 2048, count: 15 }
const long: Run = (opened, options) => opened.run('image.generate', group, options)

export async function studioCases(folder: string): Promise<FairnessCase[]> {
  return [
    {
      name: 'studio: one of 1024x1024 beside 3 groups of 15 of 2048x2048',
      engine,
      long: [long, long, long],
      short: (opened, options) => opened.run('image.generate', base, options),
      inPieces: giveWay =>
        generatePicture({ request: { ...group, count: 2 }, scratch: folder }, { giveWay, progress: () => {}, tell: () => {} }),
    },
  ]
}
