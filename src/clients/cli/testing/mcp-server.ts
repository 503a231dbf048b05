/** A server of the Model Context Protocol on stdin and stdout, with one JSON-RPC message per
 *  line. Its only tool, `write_note`, writes a city into the file made.txt in the working
 *  folder. */
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ name: 'write_note', description: 'Notes a city.', inputSchema }]

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) })}\n`)
}

function answer(method: string, params: { protocolVersion?: string; arguments?: { city?: string } } = {}): object {
  switch (method) {
    case 'initialize':
      return {
        result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'notes', version: '1' } },
      }
    case 'tools/list':
      return { result: { tools } }
    case 'tools/call': {
      const city = params.arguments?.city ?? ''
      writeFileSync('made.txt', `a note on ${city}\n`)
      return { result: { content: [{ type: 'text', text: `noted ${city}` }] } }
    }
    default:
      return { error: { code: -32_601, message: `There is no method ${method}.` } }
  }
}
