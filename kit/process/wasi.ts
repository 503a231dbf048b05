/** Runs a WASI program once, in memory, with a few files and arguments, and returns what it
 *  printed. Node's own WASI sometimes crashes the whole process (docs/measured.md#wasi). */

/** The parts of Node's WebAssembly that this file uses; Node's types leave them out. */
interface Memory {
  readonly buffer: ArrayBuffer
}
export interface Program {
  readonly kind?: 'a compiled module'
}
declare const WebAssembly: {
  Memory: new (size: { initial: number }) => Memory
  compile(bytes: Uint8Array): Promise<Program>
  instantiate(program: Program, imports: Record<string, object>): Promise<{ exports: Record<string, unknown> }>
}

export function compileProgram(bytes: Uint8Array): Promise<Program> {
  return WebAssembly.compile(bytes)
}

interface ProgramRun {
  args: readonly string[]
  /** Files by path; files that the program writes are added. */
  files: Map<string, Uint8Array>
}

/** The program's exit code and what it printed. */
interface ProgramEnd {
  code: number
  printed: string
}

interface OpenFile {
  path: string
  bytes: Uint8Array
  length: number
  at: number
  isWritten: boolean
}

class Exit extends Error {
  readonly code: number
  constructor(code: number) {
    super(`the program ended with ${code}`)
    this.code = code
  }
}

// Error numbers of wasi_snapshot_preview1.
const success = 0
const badFile = 8
const notFound = 44
const directory = 3
const regularFile = 4
const rootFd = 3
const firstFd = 4
const creates = 1
const truncates = 8

/** Runs the program. Throws the errors of its code. */
export async function runProgram(program: Program, { args, files }: ProgramRun): Promise<ProgramEnd> {
  const host = new Host(args, files)
  const { exports } = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: host.imports() })
  const { memory, _start: start } = exports
  if (!(memory instanceof WebAssembly.Memory) || typeof start !== 'function') throw new TypeError('this is no WASI program')
  host.memory = memory
  try {
    start()
  } catch (error) {
    if (error instanceof Exit) return { code: error.code, printed: host.printed() }
    throw error
  }
  return { code: 0, printed: host.printed() }
}

class Host {
  memory: Memory = new WebAssembly.Memory({ initial: 1 })
  readonly #args: readonly Buffer[]
  readonly #files: Map<string, Uint8Array>
  readonly #open = new Map<number, OpenFile>()
  readonly #said: Buffer[] = []

  constructor(args: readonly string[], files: Map<string, Uint8Array>) {
    this.#args = args.map(arg => Buffer.from(`${arg}\0`))
    this.#files = files
  }

  printed(): string {
    return Buffer.concat(this.#said).toString()
  }

  imports(): Record<string, (...values: number[]) => number> {
    return {
      args_sizes_get: (count = 0, size = 0) => {
        this.#view().setUint32(count, this.#args.length, true)
        this.#view().setUint32(
          size,
          this.#args.reduce((sum, { length }) => sum + length, 0),
          true,
        )
        return success
      },
      args_get: (pointers = 0, buffer = 0) => this.#giveArgs(pointers, buffer),
      // The time is constant, so that the output depends only on the input.
      clock_time_get: (...[, , time = 0]) => {
        this.#view().setBigUint64(time, 0n, true)
        return success
      },
      fd_close: (fd = 0) => this.#close(fd),
      fd_fdstat_get: (fd = 0, stat = 0) => this.#stat(fd, stat),
      fd_fdstat_set_flags: () => success,
      fd_prestat_get: (fd = 0, stat = 0) => {
        if (fd !== rootFd) return badFile
        this.#view().setUint32(stat, 0, true)
        this.#view().setUint32(stat + 4, 1, true)
        return success
      },
      fd_prestat_dir_name: (fd = 0, path = 0) => {
        if (fd !== rootFd) return badFile
        this.#bytes(path, 1)[0] = 0x2f
        return success
      },
      fd_read: (fd = 0, vectors = 0, count = 0, read = 0) => this.#read(fd, { vectors, count, done: read }),
      fd_seek: (...[fd = 0, offset = 0, whence = 0, at = 0]) => this.#seek(fd, { offset: Number(offset), whence, at }),
      fd_write: (fd = 0, vectors = 0, count = 0, written = 0) => this.#write(fd, { vectors, count, done: written }),
      path_open: (...[, , path = 0, length = 0, flags = 0, , , , fd = 0]) =>
        this.#openFile(Buffer.from(this.#bytes(path, length)).toString(), { flags, fd }),
      proc_exit: (code = 0) => {
        throw new Exit(code)
      },
    }
  }

  #giveArgs(pointers: number, buffer: number): number {
    let at = buffer
    this.#args.forEach((arg, index) => {
      this.#view().setUint32(pointers + 4 * index, at, true)
      this.#bytes(at, arg.length).set(arg)
      at += arg.length
    })
    return success
  }

  #stat(fd: number, stat: number): number {
    if (fd > rootFd && !this.#open.has(fd)) return badFile
    const view = this.#view()
    view.setUint8(stat, fd === rootFd ? directory : regularFile)
    view.setUint16(stat + 2, 0, true)
    view.setBigUint64(stat + 8, 2n ** 64n - 1n, true)
    view.setBigUint64(stat + 16, 2n ** 64n - 1n, true)
    return success
  }

  #openFile(name: string, { flags, fd }: { flags: number; fd: number }): number {
    const path = `/${name.replace(/^\.?\//, '')}`
    const found = this.#files.get(path)
    if (!found && (flags & creates) === 0) return notFound
    const isNew = !found || (flags & truncates) !== 0
    const bytes = isNew ? new Uint8Array(65_536) : found
    let free = firstFd
    while (this.#open.has(free)) free += 1
    this.#open.set(free, { path, bytes, length: isNew ? 0 : found.length, at: 0, isWritten: isNew })
    this.#view().setUint32(fd, free, true)
    return success
  }

  #close(fd: number): number {
    const file = this.#open.get(fd)
    if (!file) return badFile
    if (file.isWritten) this.#files.set(file.path, file.bytes.subarray(0, file.length))
    this.#open.delete(fd)
    return success
  }

  #read(fd: number, { vectors, count, done }: Transfer): number {
    const file = this.#open.get(fd)
    // Standard input is empty.
    if (!file && fd !== 0) return badFile
    let sum = 0
    for (const room of this.#buffers(vectors, count)) {
      const part = file?.bytes.subarray(file.at, Math.min(file.length, file.at + room.length)) ?? new Uint8Array()
      room.set(part)
      if (file) file.at += part.length
      sum += part.length
    }
    this.#view().setUint32(done, sum, true)
    return success
  }

  #write(fd: number, { vectors, count, done }: Transfer): number {
    const file = this.#open.get(fd)
    if (!file && fd !== 1 && fd !== 2) return badFile
    let sum = 0
    for (const part of this.#buffers(vectors, count)) {
      if (file) append(file, part)
      else this.#said.push(Buffer.from(part))
      sum += part.length
    }
    this.#view().setUint32(done, sum, true)
    return success
  }

  #seek(fd: number, { offset, whence, at }: { offset: number; whence: number; at: number }): number {
    const file = this.#open.get(fd)
    if (!file) return badFile
    file.at = offset + [0, file.at, file.length][whence]!
    this.#view().setBigUint64(at, BigInt(file.at), true)
    return success
  }

  *#buffers(vectors: number, count: number): Generator<Uint8Array> {
    for (let index = 0; index < count; index++) {
      const view = this.#view()
      yield this.#bytes(view.getUint32(vectors + 8 * index, true), view.getUint32(vectors + 8 * index + 4, true))
    }
  }

  // The view is created on each call, because the memory may have grown, which makes older views
  // empty.
  #view(): DataView {
    return new DataView(this.memory.buffer)
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length)
  }
}

interface Transfer {
  vectors: number
  count: number
  /** Address to which the host writes the number of bytes that it has read or written. */
  done: number
}

function append(file: OpenFile, part: Uint8Array): void {
  const end = file.at + part.length
  if (end > file.bytes.length) {
    const larger = new Uint8Array(Math.max(end, 2 * file.bytes.length))
    larger.set(file.bytes.subarray(0, file.length))
    file.bytes = larger
  }
  file.bytes.set(part, file.at)
  file.isWritten = true
  file.at = end
  file.length = Math.max(file.length, end)
}
