import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import embedder from '@generation-gateway/embedder'
import { openEngine } from '@generation-gateway/kit/open-engine.ts'
const most = Number(process.argv[2] ?? 400)
const texts: string[] = JSON.parse(readFileSync('/tmp/emb/texts.json','utf8')).filter((t: string) => t.length <= most).slice(0, Number(process.argv[3] ?? 256))
await using engine = openEngine(embedder, { folder: '/tmp/emb/out' })
const py = spawn('/tmp/emb/venv/bin/python', ['/tmp/emb/fe_serve.py'], { stdio: ['pipe','pipe','inherit'] })
const lines = createInterface({ input: py.stdout })[Symbol.asyncIterator]()
await lines.next()
const cpuOf = () => { // children of this process that run process.ts
  const { execFileSync } = require('node:child_process')
  return 0 }
const fast = async () => { py.stdin.write(JSON.stringify(texts)+'\n'); return JSON.parse((await lines.next()).value) as number[] }
const ours = async () => { const t=performance.now(); await engine.run('text.embed', { inputs: texts, cutsInputs: true }); return (performance.now()-t)/1000 }
await fast(); await ours()
const a: number[]=[], b: number[]=[]
for (let i=0;i<7;i++){ a.push((await fast())[1]!); b.push(await ours()) }
const med = (x: number[]) => x.toSorted((p,q)=>p-q)[3]!
console.log(texts.length,'texts; fastembed', (texts.length/med(a)).toFixed(1), 'ours', (texts.length/med(b)).toFixed(1), 'ratio', (med(a)/med(b)).toFixed(2), 'best ratio', (Math.min(...a)/Math.min(...b)).toFixed(2), a.map(x=>x.toFixed(2)).join(' '), '|', b.map(x=>x.toFixed(2)).join(' '))
py.kill()
