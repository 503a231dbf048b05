/** The program of the thread that `startSender` starts: it sends requests. */
import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import type { SentRequest } from './longest-turn.ts'

/** Disconnects the request that is in progress. */
let leave = (): void => {}

parentPort?.on('message', (message: SentRequest | 'leave') => {
  if (message === 'leave') leave()
  else send(message)
})

function send({ method = 'POST', path, headers, body }: SentRequest): void {
  const bytes = Buffer.from(body)
  const requested = request(workerData + path, { method, headers: { ...headers, 'content-length': bytes.length }, agent: false })
  let isOver = false
  const end = (status: number, text = ''): void => {
    if (isOver) return
    isOver = true
    requested.destroy()
    parentPort?.postMessage({ status, text: text.slice(0, 300) })
  }
  leave = () => end(0)
  requested.on('error', () => end(0))
  requested.on('response', answer => {
    let text = ''
    answer.setEncoding('latin1').on('data', (part: string) => {
      if (text.length < 300) text += part
    })
    answer.on('close', () => end(answer.statusCode ?? 0, text))
  })
  requested.end(bytes)
}
