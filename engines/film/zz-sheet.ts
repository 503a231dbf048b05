import { createCanvas } from '@napi-rs/canvas'
import { writeFileSync } from 'node:fs'
import { decodeFrames } from '@generation-gateway/kit/video/decode.ts'
import { probeVideo } from '@generation-gateway/kit/video/probe.ts'
const [file = '', out = ''] = process.argv.slice(2)
const facts = await probeVideo(file)
const w = 640, h = Math.round(640 * facts.height / facts.width)
const c = createCanvas(w * 2, h * 3), x = c.getContext('2d'), one = createCanvas(w, h)
let i = 0
for await (const f of decodeFrames(file, { width: w, height: h, which: { every: Math.max(1, Math.floor((facts.frames - 1) / 5)) }, signal: new AbortController().signal })) {
  if (i > 5) break
  const im = one.getContext('2d').createImageData(w, h); im.data.set(f); one.getContext('2d').putImageData(im, 0, 0)
  x.drawImage(one, (i % 2) * w, Math.floor(i / 2) * h); i++
}
writeFileSync(out, c.toBuffer('image/png'))
process.stdout.write(JSON.stringify(facts) + '\n')
