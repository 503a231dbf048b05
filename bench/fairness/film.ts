import type { VideoGenerateRequest } from '@generation-gateway/kit/requests/video.ts'
import engine from '../../engines/film/driver.ts'
import { drawShots } from '../../engines/film/film.ts'
import { planShots } from '../../engines/film/shots.ts'
import type { FairnessCase, Run } from './case.ts'

const large = { width: 3840, height: 2160 }
const base: VideoGenerateRequest = {
  ...{ prompt: 'a dog runs through a park in autumn, leaves fall', width: 1280, height: 720, seconds: 2, framesPerSecond: 24 },
  ...{ count: 1, seed: '7', sound: false, expandPrompt: false, safetyTolerance: 2, watermark: false },
}
const long: Run = (opened, options) => opened.run('video.generate', { ...base, ...large, seconds: 60 }, options)

export async function filmCases(): Promise<FairnessCase[]> {
  return [
    {
      name: 'film: a clip of 2 s at 720p beside two of 60 s at 4K',
      engine,
      long: [long, long],
      short: (opened, options) => opened.run('video.generate', base, options),
      inPieces: async giveWay => {
        const { shots } = planShots(base, '7')
        const draw = drawShots(shots, { picture: large, seed: '7', framesPerSecond: 24, pictures: {}, palette: undefined, giveWay })
        for (let frame = 0; frame < 10; frame++) {
          await draw(frame)
          await giveWay()
        }
      },
    },
  ]
}
