/** Functions for tests of packs: small packs, a server that delivers them, and scripts in place
 *  of the programs that fetch packages. */
import { createHash } from 'node:crypto'
import { chmod, mkdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Pack, PackFile, PackSource } from '@generation-gateway/kit/packs.ts'
import { writeStamps } from '../stamp.ts'
import { zipOf } from './zip.ts'

/** Returns bytes that depend only on their number and contain no repeated sections. */
export function contentOf(bytes: number): Buffer {
  const chunks: Buffer[] = []
  for (let block = 0; block * 32 < bytes; block++) chunks.push(createHash('sha256').update(String(block)).digest())
  return Buffer.concat(chunks).subarray(0, bytes)
}

export function tinyFile(content: Buffer, sources: readonly PackSource[], name = 'model.bin'): PackFile {
  return { name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex'), sources }
}

export function tinyPack(files: readonly PackFile[], id = 'tiny'): Pack {
  return { id, title: 'A tiny pack', capability: 'text.respond', licence: 'Apache-2.0', isDefault: true, files }
}

/** Writes the files of a pack with the right sizes but wrong contents, and stamps that say they
 *  were verified. Such files remain, for example, from an older version of the program. */
export async function putHollowPack(directory: string, pack: Pack): Promise<void> {
  await mkdir(join(directory, pack.id), { recursive: true })
  for (const file of pack.files) {
    await mkdir(dirname(join(directory, pack.id, file.name)), { recursive: true })
    await writeFile(join(directory, pack.id, file.name), '')
    await truncate(join(directory, pack.id, file.name), file.bytes)
  }
  await writeStamps(directory, pack)
}

export interface FileServer {
  url: string
  /** The path and the range of each request as text; `-` for a request without a range. */
  requests: string[]
  /** Sets the function that answers the next request; after it, the server answers as before. */
  once(answer: (response: ServerResponse, request: IncomingMessage) => void): void
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a server that delivers the same content for every path, and supports ranges. */
export async function serve(content: Buffer): Promise<FileServer> {
  const requests: string[] = []
  const answers: ((response: ServerResponse, request: IncomingMessage) => void)[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${request.headers.range ?? '-'}`)
    const answer = answers.shift()
    if (answer) return answer(response, request)
    const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const rest = content.subarray(start)
    const range = start > 0 ? { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` } : {}
    response.writeHead(start > 0 ? 206 : 200, { 'content-length': rest.length, ...range }).end(rest)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe: a server on a TCP port has an address object, not a string.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    once: answer => answers.push(answer),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export interface FakeProgram {
  /** An environment whose PATH contains only these scripts and the programs of the system. */
  env: NodeJS.ProcessEnv
  /** Returns the arguments with which the scripts were called, one call in each line. */
  calls(): Promise<string[]>
  /** Returns the environment of the last call. */
  seen(): Promise<string>
}

/** Writes shell scripts into a folder, and returns an environment in which a script runs in
 *  place of the program with its name. Each call of a script is recorded with its environment. */
export async function fakePrograms(folder: string, scripts: Record<string, string>): Promise<FakeProgram> {
  const bin = join(folder, 'bin')
  await mkdir(bin, { recursive: true })
  const log = join(folder, 'calls')
  const environment = join(folder, 'environment')
  await writeFile(log, '')
  for (const [name, script] of Object.entries(scripts)) {
    const file = join(bin, name)
    await writeFile(file, `#!/bin/sh\necho "${name} $*" >> '${log}'\nenv > '${environment}'\n${script}\n`)
    await chmod(file, 0o755)
  }
  return {
    env: { PATH: `${bin}:/usr/bin:/bin` },
    calls: async () => (await readFile(log, 'utf8')).split('\n').filter(Boolean),
    seen: () => readFile(environment, 'utf8'),
  }
}

/** Writes a script `pip` that delivers the wheels (Python packages) of these requirements
 *  (`tiny==1.0`) and fails for all others. */
export async function fakePip(folder: string, wheels: Record<string, Record<string, Buffer>>): Promise<FakeProgram> {
  const shelf = join(folder, 'wheels')
  await mkdir(shelf, { recursive: true })
  for (const [requirement, files] of Object.entries(wheels)) await writeFile(join(shelf, requirement), zipOf(files))
  const script = `
while [ $# -gt 1 ]; do [ "$1" = --dest ] && dest="$2"; shift; done
[ -f '${shelf}'/"$1" ] || { echo "ERROR: No matching distribution found for $1" >&2; exit 1; }
cp '${shelf}'/"$1" "$dest/$1-py3-none-any.whl"`
  return fakePrograms(folder, { pip: script })
}
