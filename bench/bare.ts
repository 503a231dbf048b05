/** The reference server of the benchmark. It uses only node:http, and answers every request with
 *  the same JSON, which is as large as the gateway's answer to a poll. */
import { createServer } from 'node:http'

const body = JSON.stringify({
  id: '01kb2v0f5w9h3t8m6q4y7z1xcd',
  status: 'Ready',
  result: {
    seed: 7,
    prompt: 'a red fox under a cherry tree at sunset',
    sample: `http://127.0.0.1:8080/files/01kb2v0g?exp=1795000000&kid=k1&sig=${'a'.repeat(43)}`,
    duration: 1.12,
    start_time: 1794999000.25,
    end_time: 1794999001.37,
    not_drawn: [],
  },
  progress: null,
  details: null,
  preview: null,
})

createServer((request, response) => {
  request.resume()
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body) }).end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
