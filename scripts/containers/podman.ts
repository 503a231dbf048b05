/** Runs podman with a separate store of images. It also works on machines without systemd, without
 *  the right to raise resource limits, or with version 1 of cgroups. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Folder in which podman keeps images and layers, so that a second run builds only what has
 *  changed. */
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'generation-gateway', 'containers')

/** Options of `podman run` for an image of the gateway, as docs/operate/containers.md advises. */
export const hardened = ['--init', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']

let runtime: readonly string[] = []

/** Runs podman and returns its output. Throws an error with podman's messages when podman fails.
 *  With `shown`, output and messages go to the terminal, and the result is ''. */
export function podman(args: readonly string[], { shown = false, timeoutMs = 600_000 } = {}): string {
  const { status, stdout, stderr, error } = spawnSync('podman', [...options(), ...args], {
    env: environment(),
    encoding: 'utf8',
    timeout: timeoutMs,
    maxBuffer: 1e8,
    stdio: ['ignore', shown ? 'inherit' : 'pipe', shown ? 'inherit' : 'pipe'],
  })
  if (error) throw error
  if (status !== 0) throw new Error(`podman ${args.join(' ')} ended with ${status}: ${stderr ?? ''}`)
  return stdout ?? ''
}

/** Runs podman without output, and returns true when it succeeds. */
export function podmanCan(args: readonly string[], timeoutMs = 60_000): boolean {
  return spawnSync('podman', [...options(), ...args], { env: environment(), stdio: 'ignore', timeout: timeoutMs }).status === 0
}

/** Imports a folder as an image. */
export async function importFolder(root: string, name: string, changes: readonly string[]): Promise<void> {
  const tar = spawn('tar', ['-C', root, '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const child = spawn('podman', [...options(), 'import', ...changes.flatMap(change => ['--change', change]), '-', name], {
    env: environment(),
    stdio: [tar.stdout, 'inherit', 'inherit'],
  })
  const code = await new Promise(resolve => child.once('exit', resolve))
  if (code !== 0) throw new Error(`podman import ended with ${code}`)
}

/** Selects the runtime runc when podman's default runtime cannot run a container of this image.
 *  Returns false when neither of the two can. */
export function chooseRuntime(image: string): boolean {
  const run = ['run', '--rm', '--network', 'none', image, 'true']
  if (podmanCan(run)) return true
  runtime = ['--runtime', 'runc']
  return podmanCan(run)
}

/** Returns the size in bytes of an image with all its layers. */
export function imageBytes(image: string): number {
  return Number(podman(['image', 'inspect', '--format', '{{.Size}}', image]))
}

/** Returns what a container has written to stdout, and after it what it has written to stderr. */
export function logsOf(container: string): string {
  const { stdout, stderr } = spawnSync('podman', [...options(), 'logs', container], { env: environment(), encoding: 'utf8' })
  return stdout + stderr
}

/** Returns the state of a container, such as `running` or `exited`. */
export function stateOf(container: string): string {
  return podman(['inspect', '--format', '{{.State.Status}}', container]).trim()
}

/** Stops a container in the way that docs/operate/containers.md advises, and asserts that its
 *  program ends with exit code 0. */
export async function stopContainer(container: string): Promise<void> {
  await timed(`stop of ${container}`, () => podman(['stop', '--time', '40', container]))
  assert.equal(podman(['inspect', '--format', '{{.State.ExitCode}}', container]).trim(), '0', logsOf(container))
}

/** Ends and removes a container, if there is one. */
export function removeContainer(container: string): void {
  spawnSync('podman', [...options(), 'rm', '--force', '--volumes', '--time', '5', container], { env: environment(), stdio: 'ignore' })
}

function options(): string[] {
  return ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), ...runtime]
}

function environment(): NodeJS.ProcessEnv {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'containers.conf')
  // By default podman raises resource limits. On a machine that does not allow this, podman would
  // fail, so no limits are set.
  writeFileSync(file, '[containers]\ndefault_ulimits = []\n')
  return { ...process.env, CONTAINERS_CONF: file }
}

/** Runs a function and returns its result. Prints the title and the seconds that the run took. */
export async function timed<T>(title: string, run: () => T | Promise<T>): Promise<T> {
  const begun = performance.now()
  const result = await run()
  process.stdout.write(`${title}: ${((performance.now() - begun) / 1000).toFixed(1)} s\n`)
  return result
}

/** Runs a program and discards its output; its error messages go to the terminal. Throws when the
 *  program fails. */
export function runProgram(program: string, args: readonly string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}
