/** Carries messages between the gateway and the process of a package. Each run of the driver has a
 *  channel of its own. All channels of a process share its two pipes. */
import type { Readable, Writable } from 'node:stream'
import { DefaultSerializer, deserialize } from 'node:v8'

/** Bytes before each message: the number of its channel (6 bytes) and the length of the message, as
 *  unsigned integers. An empty message closes its channel. */
const numberBytes = 6
const headBytes = numberBytes + 4
/** Largest message in bytes. 128 MiB of pictures, and lists of vectors, have to fit. */
const mostBytes = 512 * 2 ** 20
/** Number of the channel for pings and their answers, which are empty messages. */
const pingChannel = 0

/** Functions of the owner of a channel, which the channel calls for messages that arrive. */
export interface Receiver {
  message(message: unknown): void
  /** A message arrived that cannot be read, because it is nested too deeply. */
  unreadable(): void
  /** The other side has closed the channel. */
  closed(): void
}

export interface Channel {
  /** Sends a message. A `Buffer` arrives as a `Uint8Array`. Throws when the message contains a
   *  function or a symbol, and a `RangeError` when it is nested too deeply or larger than 512
   *  MiB. */
  send(message: unknown): void
  /** Closes the channel. Nothing that arrives afterwards is received. */
  close(): void
  receive(receiver: Receiver): void
}

export interface Pipes {
  input: Readable
  output: Writable
  /** Called for each ping, or for each answer to one. */
  onPing(): void
  /** Called with each channel that the other side opens. */
  onOpen?(channel: Channel): void
}

export class FramedChannels {
  readonly #output: Writable
  readonly #onPing: () => void
  readonly #onOpen: ((channel: Channel) => void) | undefined
  readonly #receivers = new Map<number, Receiver>()
  /** The highest number of a channel so far. Only one side opens channels. */
  #last = pingChannel

  /** Reads `input` from now on. When bytes arrive there that are no messages, `input` is destroyed
   *  with an error. */
  constructor({ input, output, onPing, onOpen }: Pipes) {
    this.#output = output
    this.#onPing = onPing
    this.#onOpen = onOpen
    const frames = new FrameReader((channel, bytes) => this.#take(channel, bytes))
    input.on('data', (chunk: Buffer) => {
      try {
        frames.read(chunk)
      } catch (error) {
        input.destroy(error instanceof Error ? error : new Error('The messages cannot be read.'))
      }
    })
  }

  open(): Channel {
    this.#last += 1
    return this.#channel(this.#last)
  }

  ping(): void {
    this.#write(pingChannel)
  }

  #channel(number: number): Channel {
    return {
      send: message => {
        const bytes = serialized(message)
        if (bytes.length > mostBytes) throw new RangeError(`A message has more than ${mostBytes} bytes.`)
        this.#write(number, bytes)
      },
      close: () => {
        if (this.#receivers.delete(number)) this.#write(number)
      },
      receive: receiver => void this.#receivers.set(number, receiver),
    }
  }

  #write(channel: number, bytes?: Buffer): void {
    if (!this.#output.writable) return
    const head = Buffer.alloc(headBytes)
    head.writeUIntLE(channel, 0, numberBytes)
    head.writeUInt32LE(bytes?.length ?? 0, numberBytes)
    this.#output.cork()
    this.#output.write(head)
    if (bytes !== undefined) this.#output.write(bytes)
    this.#output.uncork()
  }

  #take(channel: number, bytes: Buffer): void {
    if (channel === pingChannel) {
      this.#onPing()
      return
    }
    if (channel > this.#last && this.#onOpen !== undefined) {
      this.#last = channel
      this.#onOpen(this.#channel(channel))
    }
    const receiver = this.#receivers.get(channel)
    if (receiver === undefined) return
    if (bytes.length === 0) {
      this.#receivers.delete(channel)
      receiver.closed()
      return
    }
    let message: unknown
    try {
      message = deserialize(bytes)
    } catch {
      receiver.unreadable()
      return
    }
    receiver.message(message)
  }
}

/** Serializes a message. Buffers are written as plain arrays of bytes: packages do not expect a
 *  `Buffer`, whose methods differ. */
function serialized(message: unknown): Buffer {
  const serializer = new DefaultSerializer()
  // The types of Node.js do not declare this documented method.
  const write: unknown = Reflect.get(serializer, '_writeHostObject')
  if (typeof write !== 'function') throw new TypeError('Node.js has changed its serializer')
  const writePlain = (view: unknown): unknown =>
    write.call(serializer, Buffer.isBuffer(view) ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : view)
  Reflect.set(serializer, '_writeHostObject', writePlain)
  serializer.writeHeader()
  serializer.writeValue(message)
  return serializer.releaseBuffer()
}

/** Joins the chunks of a pipe into messages. */
class FrameReader {
  readonly #take: (channel: number, bytes: Buffer) => void
  readonly #head = Buffer.alloc(headBytes)
  #body: Buffer | undefined
  /** Bytes of the head, or of the body when there is one, that have arrived. */
  #filled = 0

  constructor(take: (channel: number, bytes: Buffer) => void) {
    this.#take = take
  }

  /** Throws when a head gives a length above the limit. */
  read(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const part = this.#body ?? this.#head
      const copied = chunk.copy(part, this.#filled, at)
      at += copied
      this.#filled += copied
      if (this.#filled === part.length) this.#next()
    }
  }

  #next(): void {
    this.#filled = 0
    const [channel, length] = [this.#head.readUIntLE(0, numberBytes), this.#head.readUInt32LE(numberBytes)]
    if (length > mostBytes) throw new RangeError(`A message has more than ${mostBytes} bytes.`)
    const body = this.#body ?? (length === 0 ? Buffer.alloc(0) : undefined)
    // A buffer that is not from Node's pool: views of it may stay in use.
    this.#body = body === undefined ? Buffer.allocUnsafeSlow(length) : undefined
    if (body !== undefined) this.#take(channel, body)
  }
}
