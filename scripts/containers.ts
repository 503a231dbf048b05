/** `npm run test:containers [-- --trees]`: builds both images of the Containerfile with podman and
 *  runs them. Without podman, or with `--trees`, builds their file trees in a folder and starts the
 *  program from there. Prints sizes and times; exit code 1 when anything fails. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { packsDirectory } from '@generation-gateway/kit/packs.ts'
import { provideBase } from './containers/base-image.ts'
import { findStage, readContainerfile, readIgnored } from './containers/containerfile.ts'
import { chooseRuntime } from './containers/podman.ts'
import { buildImages, tryTogether, tryWithoutNetwork } from './containers/try-images.ts'
import { tryPods } from './containers/try-pods.ts'
import { tryTrees } from './containers/try-trees.ts'
import { hasProgram } from './has-program.ts'

const context = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '')
const stages = readContainerfile(readFileSync('Containerfile', 'utf8'))
const isIgnored = readIgnored(readFileSync('.containerignore', 'utf8'))
const base = findStage(stages, 'base').from

const reason = await whyNoImages()
const tries =
  reason === undefined ? [() => buildImages(base, packsDirectory(process.env)), tryTogether, tryWithoutNetwork, tryPods] : [trees]
for (const attempt of tries) await attempt()
process.stdout.write(`${tries.length} passed, 0 failed\n`)

async function whyNoImages(): Promise<string | undefined> {
  if (process.argv.includes('--trees')) return '--trees is given'
  if (!hasProgram('podman')) return 'podman is not installed'
  return (await provideBase(base)) ?? (chooseRuntime(base) ? undefined : 'podman cannot run a container on this machine')
}

async function trees(): Promise<void> {
  process.stdout.write(`No images are built: ${reason}. Their file trees are.\n`)
  await tryTrees({ stages, isIgnored, context })
}
