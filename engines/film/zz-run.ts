import { openEngine } from '@generation-gateway/kit/open-engine.ts'
import film from './driver.ts'
const [prompt = '', seconds = '5', size = '1280x720', more = '{}'] = process.argv.slice(2)
const [width, height] = size.split('x').map(Number)
await using engine = openEngine(film, { folder: '/tmp/film-out', cores: 1 })
const t = performance.now()
let last = 0
const done = await engine.run('video.generate', { prompt, width, height, seconds: Number(seconds), count: 1, seed: '7', sound: false, expandPrompt: false, safetyTolerance: 2, watermark: false, ...JSON.parse(more) } as never, { onProgress: f => { last = f }, inputs: JSON.parse(process.argv[6] ?? '[]') })
process.stdout.write(`${Math.round(performance.now() - t)} ms, progress ${last}\n${JSON.stringify(done, null, 1)}\n`)
