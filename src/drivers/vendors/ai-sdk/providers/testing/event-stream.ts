/** Frames of AWS event streams
 *  (https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html). */
import { crc32 } from 'node:zlib'
import { type FakeReply, rawReply } from '../../../../../testing/fakes/fake-upstream.ts'

/** Returns the reply with these events of Bedrock's ConverseStream. Each event is an object with
 *  one member, whose key is the name of the event. */
export function converseReply(...events: readonly Readonly<Record<string, object>>[]): FakeReply {
  const frames = events.flatMap(event => Object.entries(event).map(([name, payload]) => frameOf(name, payload)))
  return rawReply(Buffer.concat(frames), 200, { 'content-type': 'application/vnd.amazon.eventstream' })
}

function frameOf(name: string, payload: object): Buffer {
  const headers = Buffer.concat(
    Object.entries({ ':event-type': name, ':content-type': 'application/json', ':message-type': 'event' }).map(headerOf),
  )
  const body = Buffer.from(JSON.stringify(payload))
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(16 + headers.length + body.length, 0)
  prelude.writeUInt32BE(headers.length, 4)
  const begun = Buffer.concat([prelude, checksum(prelude), headers, body])
  return Buffer.concat([begun, checksum(begun)])
}

/** Returns a header whose value is a text (type 7). */
function headerOf([name, value]: [string, string]): Buffer {
  const length = Buffer.alloc(3)
  length.writeUInt8(7, 0)
  length.writeUInt16BE(value.length, 1)
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, Buffer.from(value)])
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes))
  return sum
}
