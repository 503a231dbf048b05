import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { GatewayError } from '../errors.ts'

const run = promisify(execFile)

/** Creates a named pipe that only this user may open. An engine's process has no network access, so
 *  it sends its frames to ffmpeg through such a pipe. Throws `capability_unavailable` on Windows,
 *  which has no named pipes in folders. */
export async function makeNamedPipe(path: string): Promise<void> {
  if (process.platform === 'win32')
    throw new GatewayError('capability_unavailable', 'Video needs named pipes in folders, which Windows does not have.')
  await run('mkfifo', ['-m', '600', path], { timeout: 10_000 })
}
