// Uploads a recording and prints its transcription as subtitles.
//   GATEWAY_KEY=sk-choose-a-long-secret node upload.mjs speech.mp3
// Needs Node 20 or later. GATEWAY_URL is the gateway's address with /v1.
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'

const url = process.env.GATEWAY_URL ?? 'http://127.0.0.1:8080/v1'
const [, , path] = process.argv
if (path === undefined) throw new Error('Usage: node upload.mjs <recording>')

const form = new FormData()
// The file is read from the disk while it is sent, so that it may be larger than the memory.
form.append('file', await openAsBlob(path), basename(path))
form.append('model', 'whisper-1')
form.append('response_format', 'srt')

const response = await fetch(`${url}/audio/transcriptions`, {
  method: 'POST',
  headers: { authorization: `Bearer ${process.env.GATEWAY_KEY}` },
  body: form,
})
if (!response.ok) throw new Error(`${response.status}: ${(await response.json()).error.message}`)
process.stdout.write(await response.text())
